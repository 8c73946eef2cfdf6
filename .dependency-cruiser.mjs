const test = '\\.test\\.ts$|/(test|fixtures)/';
const code = '^(gateway|services|packages|deploy)/';

/** A wall: who (`from`) must not import what (`to`), and what to do instead (`comment`). */
const wall = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const machinery = (name) => `node_modules/(@types/)?${name}/`;
const engineRooms = '^(gateway/src|packages/(auditor|chassis|migrations|testing)/src|deploy/local/src|tests|tools)/';

/** Rooms in layers: a room imports only from the layers after its own. */
const direction = (name, sources, layers) =>
  layers.flatMap((layer, place) =>
    layer.map((room) => {
      const closed = layers.slice(0, place + 1).flat();
      const forbidden = ['[^/]+\\.ts$', ...closed.filter((other) => other !== room).map((other) => `${other}/`)];
      return wall(
        `${name}-${room}`,
        `The rooms of the ${name} have one direction: ${layers.map((rooms) => rooms.join(' and ')).join(', ')}.`,
        { path: `^${sources}/${room}/`, pathNot: test },
        { path: `^${sources}/(${forbidden.join('|')})` },
      );
    }),
  );

const rooms = [
  ...direction('chassis', 'packages/chassis/src', [
    ['references'],
    ['rpc', 'http'],
    ['messaging'],
    ['schedules'],
    ['reading', 'ranks'],
    ['database'],
    ['operation', 'visibility'],
    ['lists'],
    ['lifecycle'],
    ['schema', 'bus', 'identity'],
    ['watchdog', 'files'],
    ['runtime'],
  ]),
  ...direction('gateway', 'gateway/src', [['docs', 'upstream'], ['limits', 'session'], ['request']]),
];

export default {
  forbidden: [
    wall(
      'service-imports-service',
      'A service knows another one only by its proto/: call it over gRPC in `prepare`, or listen to its events.',
      { path: '^services/([^/]+)/' },
      { path: '^services/', pathNot: '^services/$1/' },
    ),
    wall(
      'package-imports-service',
      'Machinery must not know a business domain: pass what it needs as an argument.',
      { path: '^packages/' },
      { path: '^(services|gateway)/' },
    ),
    wall(
      'chassis-imports-its-exports',
      'The rooms of the chassis import each other directly. The exports in public/ are for services and packages.',
      { path: '^packages/chassis/src/[^/]+/', pathNot: test },
      { path: '^packages/chassis/src/public/' },
    ),
    wall(
      'gateway-imports-service',
      'The gateway knows the services only by routes.json and by proto/.',
      { path: '^gateway/' },
      { path: '^services/' },
    ),
    wall(
      'schema-imports-database',
      'A .schema.ts holds shapes on the wire only, a .rules.ts pure decisions; queries belong in <noun>.ts or <noun>.view.ts.',
      { path: '\\.(schema|rules)\\.ts$' },
      {
        path: [
          '/src/generated/',
          '/src/operations\\.ts$',
          machinery('@prisma/'),
          machinery('pg'),
          '^packages/chassis/src/database/',
        ],
      },
    ),
    wall(
      'schema-imports-operation',
      'Shapes do not know who uses them: move what is shared into the schema or into <noun>.ts.',
      { path: '\\.schema\\.ts$' },
      { path: '\\.(api|rpc)\\.ts$' },
    ),
    wall(
      'rule-imports-operation',
      'Rules (<noun>.ts) are used by operations, never the other way round: move the rule out of the .api.ts.',
      {
        path: '^(services/[^/]+|packages/example-service)/src/[^/]+/',
        pathNot: ['\\.(api|test)\\.ts$', '/generated/', '/cli/', '/seed/'],
      },
      { path: '\\.api\\.ts$' },
    ),
    wall(
      'import-of-a-test',
      'Nothing imports a test: what two tests share belongs in packages/testing.',
      {},
      { path: '\\.test\\.ts$' },
    ),
    wall(
      'code-imports-tests-folder',
      'tests/ and tools/ stand outside: code that a running process needs lives in its own workspace.',
      { path: code },
      { path: '^(tests|tools)/' },
    ),
    wall(
      'tool-imports-tests-folder',
      'A program runs without the tests: what both need belongs in packages/testing, or with the program.',
      { path: '^tools/' },
      { path: '^tests/' },
    ),
    wall(
      'code-imports-testing',
      'packages/testing is for tests only.',
      { path: code, pathNot: [test, '^packages/testing/'] },
      { path: '^packages/testing/' },
    ),
    wall(
      'proxy-outside-gateway',
      'Only the gateway forwards requests; a service answers them.',
      { path: code, pathNot: '^gateway/' },
      { path: machinery('http-proxy-middleware') },
    ),
    wall(
      'machinery-outside-chassis',
      'Express, PostgreSQL, NATS and gRPC are reached through @suite/chassis.',
      { path: code, pathNot: [engineRooms, test, '^packages/proto/', '/src/generated/', '/cli/', '/seed/'] },
      { path: ['express', 'pg', 'nats', 'nice-grpc', '@grpc/grpc-js', '@prisma/adapter-pg'].map(machinery) },
    ),
    wall(
      'front-door',
      'A workspace is entered by its package name (@suite/chassis), never through its files.',
      { path: '^(gateway|services|packages|deploy)/([^/]+)/', pathNot: ['^packages/testing/', test] },
      { path: '^packages/[^/]+/src/', pathNot: '^$1/$2/', dependencyTypesNot: ['aliased-workspace'] },
    ),
    ...rooms,
    wall(
      'circle',
      'Two files that need each other are one file, or hide a third: name it and move it there.',
      { pathNot: ['/src/generated/', '^packages/proto/'] },
      { circular: true, dependencyTypesNot: ['type-only'], viaOnly: { dependencyTypesNot: ['type-only'] } },
    ),
    wall(
      'unresolvable',
      'The file or package does not exist: imports end in .ts, and packages are declared in package.json.',
      { pathNot: ['/src/generated/'] },
      { couldNotResolve: true, pathNot: '/generated/' },
    ),
    wall(
      'undeclared-package',
      'Declare the package in the package.json of the workspace that imports it.',
      { path: code, pathNot: ['/src/generated/'] },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    wall(
      'development-package-in-code',
      'What a running process needs is a dependency, not a devDependency.',
      { path: '^(gateway|services|packages|deploy)/.*/src/', pathNot: [test, '^packages/testing/', '/cli/', '/seed/'] },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '/src/generated/', '^packages/proto/src/'] },
    exclude: { path: ['^\\.data/', '/\\.turbo/'] },
    tsPreCompilationDeps: 'specify',
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.json' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'],
    },
    skipAnalysisNotInRules: true,
  },
};
