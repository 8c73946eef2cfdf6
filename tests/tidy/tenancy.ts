import ts from 'typescript';
import { violationAt, file, isForTests, isProduct, nodes, perFile, type Rule, type SourceFile } from './rule.ts';

/**
 * Number of accesses beyond one workspace per service, with `everyWorkspace(…)`, `findEverywhere(…)`,
 * `readEverywhere(…)` or `writeEverywhere(…)`. All other services have none. A reviewer decides on a change of a
 * number. Platform must identify users before it knows their workspace: sign-in, refresh, second factors, one-time
 * links, API keys and badges. Its sweepers and ends of trials serve all workspaces, and plans belong to none. The
 * schedules of the other services find due work in all workspaces and do it inside its workspace.
 * `regardlessOfVisibility(…)` is counted as well: integrity checks cover all books for any caller, and a report adds up
 * whole projects for its readers.
 */
const OUTSIDE: Readonly<Record<string, number>> = {
  // White label: look-ups of a token, webhook secret, subscription or account by the provider's ID alone, and its
  // schedules. One query finds the users whose to-do lists are stored elsewhere.
  'services/platform': 29,
  // Schedules query all due records, and a form is found by its token.
  'services/crm': 3,
  'services/finance': 2,
  'services/inventory': 1,
  'services/support': 6,
  'services/projects': 4,
  // An employee's name is copied to all records where they are a manager, approver or absent. Schedules process dates,
  // effective changes, ends of days, absences, leave, notifications, reminders and payroll runs. A balance counts all
  // requests that use its days, for any caller. Authors find their complaint again, even if their name is encrypted.
  'services/hr': 14,
  'packages/mail-queue': 1,
  'packages/saga': 2,
  // The keys of encrypted fields are hidden from every caller.
  'packages/field-encryption': 1,
};

const isUnique = (node: ts.Node): node is ts.PropertyAccessExpression =>
  ts.isPropertyAccessExpression(node) && /^findUnique(OrThrow)?$/.test(node.name.text);

const batched = perFile(
  'findUnique is never used',
  (path) => isProduct(path) || isForTests(path),
  (source) =>
    nodes(source, isUnique).map((node) =>
      violationAt(
        source,
        node,
        'Prisma batches findUnique calls over requests and so over workspaces: use find() or findFirst',
      ),
    ),
  [file('services/crm/src/leads/lead.ts', 'await db.lead.findUnique({ where: { id } });\n')],
);

const isConcurrent = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && /^Promise\.(all|allSettled|race)$/.test(node.expression.getText());

const statementsInOrder = perFile(
  'statements of a transaction are awaited in order, or sent by batch()',
  (path) => /^(services\/[^/]+|packages\/example-service)\/src\//.test(path) && isProduct(path),
  (source) =>
    nodes(source, isConcurrent)
      .filter((node) => node.arguments.some((argument) => /\b(context\.)?db\b/.test(argument.getText())))
      .map((node) =>
        violationAt(
          source,
          node,
          'await one statement after the other; or use batch(), and describe the measured benefit',
        ),
      ),
  [file('services/crm/src/leads/lead.ts', 'await Promise.all([readStage(db, id), readLead(context.db, id)]);\n')],
);

const isEscape = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  /^(everyWorkspace|findEverywhere|regardlessOfVisibility|.*\.(read|write)Everywhere)$/.test(node.expression.getText());

const ownerOf = (path: string): string | undefined => /^(gateway|(services|packages|deploy)\/[^/]+)\//.exec(path)?.[1];

const counted: Rule = {
  name: 'no code leaves the workspace more often than reviewed',
  check(files) {
    const uses = new Map<string, { source: SourceFile; node: ts.Node }[]>();
    for (const source of files.filter(({ path }) => isProduct(path) && !path.startsWith('packages/chassis/'))) {
      const owner = ownerOf(source.path) ?? source.path;
      uses.set(owner, [...(uses.get(owner) ?? []), ...nodes(source, isEscape).map((node) => ({ source, node }))]);
    }
    return [...uses].flatMap(([owner, found]) => {
      const allowed = OUTSIDE[owner] ?? 0;
      const message = `${owner} leaves its workspace ${found.length} times, ${allowed} were reviewed: stay confined to the caller's workspace, or change the number in tests/tidy/tenancy.ts`;
      const last = found.at(-1);
      if (found.length === allowed) return [];
      return [last ? violationAt(last.source, last.node, message) : { path: owner, message }];
    });
  },
  broken: [
    [file('services/example/src/leads/lead.ts', 'await everyWorkspace(db, count);\n')],
    [file('services/example/src/leads/lead.ts', 'await database.writeEverywhere(context, count);\n')],
  ],
};

/**
 * Details of `in_use` that name no hidden record: states of the record itself, and records looked up within the
 * caller's record scope.
 */
const SAFE_DETAILS = new Set(['is_default', 'status', 'current_balance', 'base_balance', 'lead_id', 'deal_id']);

const isInUse = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.getText() === 'InUse' && node.arguments.length > 0;

function namesIn(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(namesIn);
  if (ts.isIdentifier(node) && node.text === 'undefined') return [];
  if (!ts.isObjectLiteralExpression(node)) return [node.getText()];
  return node.properties.map((property) => property.name?.getText() ?? property.getText());
}

const revealed = perFile(
  'an error counts only records that the caller may see',
  (path) => path.startsWith('services/') && isProduct(path),
  (source) =>
    nodes(source, isInUse)
      .filter((call) => namesIn(call.arguments[0]!).some((name) => !SAFE_DETAILS.has(name)))
      .map((node) =>
        violationAt(source, node, 'count with assertUnused(…) or inUseFault(…), which count what the caller sees'),
      ),
  [
    file('services/crm/src/leads/lead.ts', 'throw InUse({ tasks: count });\n'),
    file('services/crm/src/leads/lead.ts', 'throw InUse(held);\n'),
    file('services/crm/src/leads/lead.ts', 'throw InUse({ ...held });\n'),
  ],
);

/** Schedules whose batches are fair without `rotateByWorkspace`, with the reason. */
const FAIR: Readonly<Record<string, string>> = {
  'packages/chassis/src/schedules/schedule.ts': 'defines rotateByWorkspace',
  'services/platform/src/identity/login-throttling/account-request.ts':
    'requests of callers without an account belong to no workspace',
  'services/platform/src/billing/billing/subscription-mode.ts': 'one row per workspace',
  'services/platform/src/entitlements/entitlements/entitlement-ends.ts': 'one row per workspace',
  'services/platform/src/workspaces/subscriptions/trial-reminders.ts': 'one row per workspace',
  'services/platform/src/connections/integrations/delivery.ts': 'has its own share per workspace',
  'services/hr/src/leave/leave-jobs/settle-leave.ts':
    'uses rotateByWorkspace; another limit applies within one workspace',
  'services/hr/src/notices/acknowledgments/reminders.ts': 'the limit applies within one workspace',
  'packages/mail-queue/src/mail-queue.ts': 'has its own share per workspace',
};

const unshared = perFile(
  'no workspace delays the scheduled work of others',
  (path) => isProduct(path) && !(path in FAIR),
  ({ path, text }) =>
    text.includes('findEverywhere') && /LIMIT \$\{/.test(text)
      ? [
          {
            path,
            message:
              'select due work with rotateByWorkspace(statement, order, limit): it shares the limit between workspaces',
          },
        ]
      : [],
  [
    file(
      'services/hr/src/jobs/due.ts',
      'await findEverywhere(database, NAME, sql`SELECT id FROM jobs LIMIT ${BATCH}`);\n',
    ),
  ],
);

/** Rules of transactions, and rules that isolate the records of a workspace from others, and hidden records from a caller. */
export const tenancy: Rule[] = [batched, statementsInOrder, counted, revealed, unshared];
