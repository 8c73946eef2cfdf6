import ts from 'typescript';
import { at, file, isForTests, isScript, nodes, type Rule, type SourceFile } from './rule.ts';

/** Places that name a service, each with its reason. A folder ends with a slash. */
const reasons: Readonly<Record<string, string>> = {
  'deploy/local/src/processes.ts': 'the table of the suite',
  'deploy/local/src/environment.ts': 'the gateway asks platform who somebody is',
  'gateway/src/start.ts': 'the gateway asks platform who somebody is',
  'gateway/src/session/': 'the gateway asks platform who somebody is',
  'packages/users/': "copies of platform's users, which three services keep",
  'packages/document-lines/': 'lines of the catalogue become those of an invoice: what three services agree about',
  'packages/testing/src/member.ts': 'modules of plans, of which some are called like services',
  'packages/example-service/': 'the example service hears another one, and belongs to a module of plans',
  'tools/audit/': 'what two services must agree about',
  'tools/bench/': 'measures operations of single services',
  'tools/model/': 'plays the business through all services',
  'tools/payroll/': 'measures how fast hr calculates a run',
};
const isAccepted = (path: string): boolean =>
  Object.keys(reasons).some((known) => path === known || (known.endsWith('/') && path.startsWith(known)));

const ownerOf = (path: string): string | undefined => /^services\/([^/]+)\//.exec(path)?.[1];

const serviceNames = (files: readonly SourceFile[]): string[] => [
  ...new Set(files.flatMap(({ path }) => ownerOf(path) ?? [])),
];

/** `crm`, `services/crm/…`, `@suite/crm`, `@suite/proto/crm/…`: a text that leads to a service. */
const nameIn = (text: string): string | undefined =>
  /^(?:services\/|@suite\/(?:proto\/)?)?([a-z]+)(?:$|\/)/.exec(text)?.[1];

/** Adding, renaming or removing a service takes a change of the table, and of nothing else. */
const namedOnce: Rule = {
  name: 'nothing outside services/<name> names a service, but the table of the suite',
  check(files) {
    const names = serviceNames(files);
    const message = (name: string) =>
      `read it from deploy/local/src/processes.ts: "${name}" is a service, and the table knows them all`;
    return files
      .filter(({ path }) => isScript(path) && !isForTests(path) && !ownerOf(path) && !isAccepted(path))
      .flatMap((source) =>
        nodes(source, ts.isStringLiteralLike).flatMap((node) => {
          const name = nameIn(node.text);
          return name && names.includes(name) ? [at(source, node, message(name))] : [];
        }),
      );
  },
  broken: [
    "const first = 'crm';\n",
    "import { crm } from '@suite/crm';\n",
    'const entry = `services/crm/src/main.ts`;\n',
  ].map((text) => [file('services/crm/package.json', '{}'), file('deploy/local/src/plan.ts', text)]),
};

export const services: Rule[] = [namedOnce];
