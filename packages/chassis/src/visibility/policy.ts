/** Generates row-level security policies from the visibility rules of tables. */
import { raw } from '@prisma/client/runtime/client';
import { type Condition, isActor, conditionSql, type ConditionWriter } from './condition.ts';
import type { Visibility } from './visibility.ts';

/** The caller is in the settings of the transaction, which are read once per statement instead of once per row. */
const inPolicy = (noun: string): ConditionWriter => {
  const people = `(SELECT suite_people('${noun}'))::uuid[]`;
  return {
    ownedBy: (name) => raw(`${name} = ANY (${people})`),
    isActor: (name) => raw(`${name} = (SELECT suite_actor_id())`),
    linkedBy: (name, { links, record, user }) =>
      raw(`${name} IN (SELECT suite_linked('${links}', '${record}', '${user}', ${people}))`),
    // OFFSET forces a look-up per row. Without it, PostgreSQL may read all rows of the other table for a page of a few.
    refersTo: (name, { table, key }) => raw(`EXISTS (SELECT FROM ${table} WHERE ${table}.${key} = ${name} OFFSET 0)`),
    sees: (other) => raw(`(SELECT suite_reach('${other}')) <> 'none'`),
    seesAll: (other) => raw(`(SELECT suite_reach('${other}')) = 'all'`),
    among: (name, ids) => raw(`${name} = ANY ((SELECT ${ids}(suite_reach('${noun}')))::uuid[])`),
    notAmong: (name, ids) =>
      raw(`(${name} IS NULL OR ${name} <> ALL ((SELECT ${ids}(suite_reach('${noun}')))::uuid[]))`),
  };
};

/** Returns the condition of a table's policy. */
export function policyOf(visible: Visibility): string | undefined {
  const { table, rule } = visible;
  const inSql = (condition: Condition, noun = '') => conditionSql(condition, table, inPolicy(noun))?.sql ?? 'TRUE';
  if (rule === 'everybody') return 'TRUE';
  if (rule === 'mine') return inSql(isActor(visible.column));
  if (rule === 'staff') {
    const { staff, client, vendor } = visible;
    if (staff === 'TRUE' && client === 'FALSE' && vendor === 'FALSE') return '(SELECT suite_is_staff())';
    return `CASE (SELECT suite_kind()) WHEN 'client' THEN ${inSql(client)} WHEN 'vendor' THEN ${inSql(vendor)} ELSE ${inSql(staff)} END`;
  }
  if (rule === 'follows') {
    const parents = Object.entries(visible.parents).map(
      ([column, parent]) => `EXISTS (SELECT FROM ${parent} WHERE ${parent}.id = ${table}.${column})`,
    );
    const any = parents.length > 1 ? `(${parents.join(' OR ')})` : parents[0]!;
    return visible.outsiders ? any : `(SELECT suite_is_staff()) AND ${any}`;
  }
  if (rule !== 'conditions') return undefined;
  const { noun, all = 'TRUE', limited, none = 'FALSE', client = 'FALSE', vendor = 'FALSE' } = visible.conditions;
  // A scope without a case shows nothing, for example an empty setting.
  const cases = Object.entries({ all, own: limited, team: limited, none, client, vendor })
    .filter(([, condition]) => condition !== 'FALSE')
    .map(([reach, condition]) => `WHEN '${reach}' THEN ${inSql(condition, noun)}`);
  return `CASE (SELECT suite_reach('${noun}')) ${cases.join(' ')} ELSE FALSE END`;
}

/** Returns the statements that create the policies. `npm run generate` writes them to prisma/visibility.sql. */
export function visibilitySql(declared: readonly Visibility[]): string {
  const lines = declared.map((visible) => {
    const { table, rule } = visible;
    if (rule === 'nobody') return `SELECT suite_visible_to_nobody('${table}');`;
    if (rule === 'shared') return `GRANT SELECT ON ${table} TO suite_viewer;`;
    return `SELECT suite_visible('${table}', $$${policyOf(visible)}$$);`;
  });
  return [
    '-- Written by "npm run generate" from the declared visibility of the tables. Applied after the migrations, again when it changes.',
    ...lines,
    `SELECT suite_assert_visibility(ARRAY[${declared.map(({ table }) => `'${table}'`).join(', ')}]);`,
    '',
  ].join('\n');
}
