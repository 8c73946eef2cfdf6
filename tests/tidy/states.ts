import ts from 'typescript';
import { violationAt, file, isProduct, nodes, perFile, type SourceFile } from './rule.ts';

/**
 * Tables with a status and no lifecycle: copies of other services' records, queued e-mails, workspaces, white-label
 * instances, reservations, and plans, which operators offer and retire. The status of attendance days and entitlements
 * is derived from punches and subscriptions. Unrequested accounts are erased before they are removed.
 */
const WITHOUT_LIFECYCLE = new Set([
  'services/crm/src/pipeline/users/copy.ts',
  'services/hr/src/attendance/attendance-days/day-row.ts',
  'services/inventory/src/movements/reservation-use.ts',
  'services/inventory/src/reservations/reservation.ts',
  'services/platform/src/identity/mail/mail-delivery.ts',
  'services/platform/src/entitlements/entitlements/entitlement.ts',
  'services/platform/src/entitlements/plans/plan-catalogue.ts',
  'services/platform/src/identity/accounts/email.ts',
  'services/platform/src/workspaces/users/client-user.ts',
  'services/platform/src/billing/instances/instance.ts',
  'services/platform/src/workspaces/workspaces/workspace.ts',
]);

const isService = (path: string): boolean =>
  isProduct(path) &&
  path.startsWith('services/') &&
  !/\/(generated|cli|demo)\//.test(path) &&
  !WITHOUT_LIFECYCLE.has(path);

/** A statement that sets a status directly. A lifecycle writes `SET ${set}`. */
const SETS_STATUS =
  /\bUPDATE\b[\s\S]*?\bSET\b((?!\b(WHERE|FROM|RETURNING)\b)[\s\S])*?(?<![\w.])(status|stage)\s*=(?!=)/;

const statements = (source: SourceFile): ts.Node[] =>
  nodes(source, ts.isTaggedTemplateExpression).filter(
    ({ tag, template }) => tag.getText().endsWith('sql') && SETS_STATUS.test(template.getText()),
  );

const named = (literal: ts.ObjectLiteralExpression, name: string): ts.ObjectLiteralElementLike | undefined =>
  literal.properties.find((property) => property.name?.getText() === name);

/** Matches `db.quote.updateMany({ …, data: { status: 'sent' } })` and `change(db.quote, id, { status: 'sent' })`. */
function writes(call: ts.CallExpression): boolean {
  const callee = call.expression.getText();
  const last = call.arguments.at(-1);
  if (callee === 'change')
    return call.arguments.some((part) => ts.isObjectLiteralExpression(part) && named(part, 'status'));
  if (!/\.update(Many)?$/.test(callee) || !last || !ts.isObjectLiteralExpression(last)) return false;
  const data = named(last, 'data');
  if (!data || !ts.isPropertyAssignment(data) || !ts.isObjectLiteralExpression(data.initializer)) return false;
  return named(data.initializer, 'status') !== undefined;
}

/** Rules that states change only as their lifecycles allow. */
export const stateRules = [
  perFile(
    'a state changes only through its lifecycle',
    isService,
    (source) =>
      [...statements(source), ...nodes(source, ts.isCallExpression).filter(writes)].map((node) =>
        violationAt(
          source,
          node,
          'move the row by its lifecycle: states.move(…), or states.moving(…) in a statement in SQL',
        ),
      ),
    [
      file('services/crm/src/quotes/quote.ts', "await db.rows(sql`UPDATE quotes SET status = 'sent' WHERE id = 1`);\n"),
      file(
        'services/crm/src/sales/quotes/quote.ts',
        'await db.rows(sql`UPDATE ${raw(t)} AS one SET number = ${n}, status = now.status FROM x WHERE TRUE`);\n',
      ),
      file(
        'services/crm/src/sales/quotes/quote.ts',
        "await db.quote.updateMany({ where: { id }, data: { status: 'sent' } });\n",
      ),
      file('services/crm/src/quotes/quote.ts', 'await change(db.quote, id, { status });\n'),
    ],
  ),
];
