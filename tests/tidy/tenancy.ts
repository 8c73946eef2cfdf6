import ts from 'typescript';
import { at, file, isForTests, isProduct, nodes, perFile, type Rule, type SourceFile } from './rule.ts';

/**
 * How often each service looks beyond one workspace with `everyWorkspace(…)`, `findEverywhere(…)`, `readEverywhere(…)` or
 * `writeEverywhere(…)`; the others never do.
 * Changing a number is a decision for a reviewer. Platform: who somebody is must be found out before it is known where
 * they belong (sign-in, refresh, second factors, one-time links, API keys, badges), its sweepers and ends of trials serve all
 * workspaces, and plans belong to none; the schedules of the
 * others ask what is due anywhere, and do it inside its workspace. `regardlessOfVisibility(…)` is counted with them: that
 * the books are sound is proved of all of them, whoever asks, and a report adds up whole projects for those who see them.
 */
const OUTSIDE: Readonly<Record<string, number>> = {
  // White label: whose token, webhook secret, subscription or account is named by the provider's id alone; and its schedule. One
  // look for the users whose to-do lists are kept elsewhere.
  'services/platform': 27,
  // Schedules ask for all that is due, and a form is found by its token.
  'services/crm': 3,
  'services/finance': 2,
  'services/inventory': 1,
  'services/support': 6,
  'services/projects': 4,
  // A colleague is named wherever he leads, decides or is away; dates, what takes effect, ends of days, absences, leave, notices, reminders
  // and runs of the payroll are kept by schedules. A balance counts the requests that hold its days, whoever asks. A complaint is found
  // again by its author, also where his name is sealed.
  'services/hr': 14,
  'packages/mail-queue': 1,
  'packages/saga': 1,
  // The keys of sealed values are no caller's to see.
  'packages/sealed': 1,
};

const isUnique = (node: ts.Node): node is ts.PropertyAccessExpression =>
  ts.isPropertyAccessExpression(node) && /^findUnique(OrThrow)?$/.test(node.name.text);

const batched = perFile(
  'findUnique is never used',
  (path) => isProduct(path) || isForTests(path),
  (source) =>
    nodes(source, isUnique).map((node) =>
      at(source, node, 'Prisma batches findUnique calls over requests and so over workspaces: use find() or findFirst'),
    ),
  [file('services/crm/src/leads/lead.ts', 'await db.lead.findUnique({ where: { id } });\n')],
);

const isEscape = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) &&
  /^(everyWorkspace|findEverywhere|regardlessOfVisibility|.*\.(read|write)Everywhere)$/.test(node.expression.getText());

const ownerOf = (path: string): string | undefined => /^(gateway|(services|packages|deploy)\/[^/]+)\//.exec(path)?.[1];

const counted: Rule = {
  name: 'nobody leaves the workspace more often than reviewed',
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
      return [last ? at(last.source, last.node, message) : { path: owner, message }];
    });
  },
  broken: [
    [file('services/example/src/leads/lead.ts', 'await everyWorkspace(db, count);\n')],
    [file('services/example/src/leads/lead.ts', 'await database.writeEverywhere(context, count);\n')],
  ],
};

/** Details of `in_use` that name no record that a caller may not see: states of the record itself, and records looked up as seen. */
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
  'a refusal counts only records that the caller may see',
  (path) => path.startsWith('services/') && isProduct(path),
  (source) =>
    nodes(source, isInUse)
      .filter((call) => namesIn(call.arguments[0]!).some((name) => !SAFE_DETAILS.has(name)))
      .map((node) => at(source, node, 'count with assertUnused(…) or inUse(…), which count what the caller sees')),
  [
    file('services/crm/src/leads/lead.ts', 'throw InUse({ tasks: count });\n'),
    file('services/crm/src/leads/lead.ts', 'throw InUse(held);\n'),
    file('services/crm/src/leads/lead.ts', 'throw InUse({ ...held });\n'),
  ],
);

/** Schedules whose batches are fair without `shareOut`, and why. */
const FAIR: Readonly<Record<string, string>> = {
  'packages/chassis/src/schedules/schedule.ts': 'defines shareOut',
  'services/platform/src/attempts/account-request.ts': 'requests of callers without an account belong to no workspace',
  'services/platform/src/billing/tried-subscription.ts': 'one row per workspace',
  'services/platform/src/entitlements/entitlement-ends.ts': 'one row per workspace',
  'services/platform/src/subscriptions/trial-letters.ts': 'one row per workspace',
  'services/platform/src/integrations/delivery.ts': 'has a share per workspace of its own',
  'services/hr/src/leave-jobs/settle-leave.ts': 'uses shareOut; another limit applies within one workspace',
  'services/hr/src/acknowledgments/reminders.ts': 'the limit applies within one workspace',
  'packages/mail-queue/src/mail-queue.ts': 'has a share per workspace of its own',
};

const unshared = perFile(
  'no workspace delays the scheduled work of others',
  (path) => isProduct(path) && !(path in FAIR),
  ({ path, text }) =>
    text.includes('findEverywhere') && /LIMIT \$\{/.test(text)
      ? [{ path, message: 'select due work with shareOut(statement, order, limit): it takes turns between workspaces' }]
      : [],
  [
    file(
      'services/hr/src/jobs/due.ts',
      'await findEverywhere(database, NAME, sql`SELECT id FROM jobs LIMIT ${BATCH}`);\n',
    ),
  ],
);

/** The rules that keep one tenant's records from another's, and hidden records from a caller. */
export const tenancy: Rule[] = [batched, counted, revealed, unshared];
