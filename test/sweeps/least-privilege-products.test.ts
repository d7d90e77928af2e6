import { useLeastPrivilege } from '../support/least-privilege.ts'

const { describeOperations } = await useLeastPrivilege()

describeOperations('writes products', 15)
