import ts from 'typescript';
import { violationAt, file, isForTests, isScript, nodes, type Rule, type SourceFile } from './rule.ts';

/** Places that may name a service, each with its reason. The path of a folder ends with a slash. */
const reasons: Readonly<Record<string, string>> = {
  'deploy/local/src/processes.ts': 'the table of the suite',
  'gateway/src/start.ts': 'the gateway asks platform for the caller',
  'gateway/src/session/': 'the gateway asks platform for the caller',
  'packages/user-copies/': 'copies of the users of platform, which three services store',
  'packages/document-lines/': 'catalogue lines become invoice lines: the rules that three services share',
  'packages/testing/src/member.ts': 'modules of plans, some with the name of a service',
  'packages/example-service/': 'the example service subscribes to another one, and belongs to a module of plans',
  'tools/audit/': 'rules that compare two services',
  'tools/bench/': 'measures operations of single services',
  'tools/model/': 'simulates the business through all services',
  'tools/payroll/': 'measures how fast hr calculates a payroll run',
};
const isAccepted = (path: string): boolean =>
  Object.keys(reasons).some((known) => path === known || (known.endsWith('/') && path.startsWith(known)));

const ownerOf = (path: string): string | undefined => /^services\/([^/]+)\//.exec(path)?.[1];

const serviceNames = (files: readonly SourceFile[]): string[] => [
  ...new Set(files.flatMap(({ path }) => ownerOf(path) ?? [])),
];

/** Returns the service that a text refers to: `crm`, `services/crm/…`, `@suite/crm`, `@suite/proto/crm/…`. */
const nameIn = (text: string): string | undefined =>
  /^(?:services\/|@suite\/(?:proto\/)?)?([a-z]+)(?:$|\/)/.exec(text)?.[1];

/** Checks that adding, renaming or removing a service changes only the table. */
const namedOnce: Rule = {
  name: 'nothing outside services/<name> names a service, except for the table of the suite',
  check(files) {
    const names = serviceNames(files);
    const message = (name: string) =>
      `read it from deploy/local/src/processes.ts: "${name}" is a service, and the table lists them all`;
    return files
      .filter(({ path }) => isScript(path) && !isForTests(path) && !ownerOf(path) && !isAccepted(path))
      .flatMap((source) =>
        nodes(source, ts.isStringLiteralLike).flatMap((node) => {
          const name = nameIn(node.text);
          return name && names.includes(name) ? [violationAt(source, node, message(name))] : [];
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
