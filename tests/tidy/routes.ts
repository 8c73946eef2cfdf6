import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import {
  violationAt,
  file,
  imports,
  isForTests,
  nodes,
  perFile,
  type Rule,
  type SourceFile,
  type Violation,
} from './rule.ts';

const ROUTE = /^(GET|POST|PUT|PATCH|DELETE) \//;
const ORDER = [
  'summary',
  'description',
  'addition',
  'access',
  'params',
  'query',
  'body',
  'upload',
  'message',
  'reply',
  'faults',
  'prepare',
  'handle',
  'auditAccess',
  'formats',
];
const isApi = (path: string): boolean => path.endsWith('.api.ts');

interface RouteLiteral {
  source: SourceFile;
  node: ts.Node;
  route: string;
}

const routes = (files: readonly SourceFile[]): RouteLiteral[] =>
  files
    .filter(({ path }) => isApi(path))
    .flatMap((source) =>
      nodes(source, ts.isStringLiteral)
        .filter(({ text }) => ROUTE.test(text))
        .map((node) => ({ source, node, route: node.text })),
    );

const once: Rule = {
  name: 'a route is declared exactly once',
  check(files) {
    const seen = new Map<string, RouteLiteral>();
    return routes(files).flatMap((literal): Violation[] => {
      const first = seen.get(literal.route);
      if (!first) seen.set(literal.route, literal);
      if (!first) return [];
      const message = `${literal.route} is declared in ${first.source.path}: change it there, or give this one its own route`;
      return [violationAt(literal.source, literal.node, message)];
    });
  },
  broken: [
    [
      file('services/crm/src/leads/leads.api.ts', "export const list = query('GET /api/leads', {});\n"),
      file('services/crm/src/deals/deals.api.ts', "export const list = query('GET /api/leads', {});\n"),
    ],
  ],
};

const listedInContents: Rule = {
  name: "every .api.ts is on its service's contents page",
  check(files) {
    const named = files
      .filter(({ path }) => path.endsWith('.ts') && !isForTests(path))
      .flatMap((source) => imports(source).map(({ specifier }) => join(dirname(source.path), specifier)));
    const known = new Set(named);
    const message = 'the file is not imported, so it is not served: list its operations in <service>.ts, or delete it';
    return files
      .filter(({ path }) => isApi(path) && !isForTests(path) && !known.has(path))
      .map(({ path }) => ({ path, message }));
  },
  broken: [
    [
      file('services/crm/src/leads/leads.api.ts', '/** Leads: people who may buy. */\n'),
      file('services/crm/src/crm.ts', "import * as deals from './deals/deals.api.ts';\n"),
    ],
  ],
};

const isDeclaration = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && /^(query|command)$/.test(node.expression.getText());

const order = perFile(
  `fields of an operation have a fixed order: ${ORDER.join(', ')}, formats`,
  isApi,
  (source) =>
    nodes(source, isDeclaration).flatMap((call): Violation[] => {
      const declaration = call.arguments[1];
      if (!declaration || !ts.isObjectLiteralExpression(declaration)) return [];
      const names = declaration.properties.map((property) => property.name?.getText() ?? '');
      const ranks = names.map((name) => [...ORDER, 'formats'].indexOf(name));
      const wrong = ranks.findIndex((rank, index) => index > 0 && rank !== -1 && rank < (ranks[index - 1] ?? 0));
      return wrong === -1 ? [] : [violationAt(source, call, `move \`${names[wrong]}\` before \`${names[wrong - 1]}\``)];
    }),
  [file('services/crm/src/leads/leads.api.ts', "query('GET /api/leads', { access: open, summary: 'List leads' });\n")],
);

const opening = perFile(
  'every .api.ts opens with a sentence that describes the resource',
  isApi,
  ({ path, text }) =>
    /^\/\*\*[\s*]*[A-Za-z][\s\S]*?\*\//.test(text)
      ? []
      : [{ path, line: 1, message: 'begin with a business description, such as /** Leads: potential customers. … */' }],
  [
    file('services/crm/src/leads/leads.api.ts', "import { query } from '../operations.ts';\n"),
    file('services/crm/src/leads/leads.api.ts', '/** */\nexport const list = 1;\n'),
  ],
);

const handlers = perFile(
  'an .api.ts catches no errors',
  isApi,
  (source) =>
    nodes(source, ts.isTryStatement).map((node) =>
      violationAt(
        source,
        node,
        'throw a fault from the rule and let other errors be a 500: the binder responds and logs',
      ),
    ),
  [file('services/crm/src/leads/leads.api.ts', '/** Leads. */\ntry { run(); } catch {}\n')],
);

/** Rules for operations. */
export const operations: Rule[] = [once, listedInContents, order, opening, handlers];
