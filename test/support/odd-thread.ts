import { serveThread } from '../../src/plugin/work-thread.ts'

export type OddCall = 'answer' | 'throw' | 'hang' | 'exit' | 'fill memory'

serveThread<OddCall, string>((call) => {
  if (call === 'throw') throw new Error('not today')
  if (call === 'exit') process.exit(0)
  const retained: number[][] = []
  while (call !== 'answer') if (call === 'fill memory') retained.push(Array.from({ length: 10_000 }, Math.random))
  return `answered, with ${Object.keys(process.env).length} variables`
})
