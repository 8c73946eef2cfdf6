import { type Condition, describeCondition, type Service, type Visibility } from '@suite/chassis/declarations';

function code(condition: Condition, table: string): string {
  const text = describeCondition(condition, table);
  if (text === 'FALSE') return 'none';
  return text === 'TRUE' ? 'all' : `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')}\``;
}

/** Returns the rows that staff see, the rows for the scopes own and team, and the rows that clients and vendors see. */
function cells(visible: Visibility): string[] {
  const coded = (condition: Condition = 'FALSE') => code(condition, visible.table);
  switch (visible.rule) {
    case 'conditions': {
      const { noun, gated = true, drafted, all = 'TRUE', limited, none, client, vendor } = visible.conditions;
      const otherwise = none === undefined ? '' : `, otherwise ${coded(none)}`;
      const writers = drafted
        ? ` and \`${noun}.create\` or \`${noun}.update\`, with the first alone as the scope own`
        : '';
      return [
        `${coded(all)}${gated ? `, with \`${noun}.view\`${writers}${otherwise}` : ''}`,
        coded(limited),
        coded(client),
        coded(vendor),
      ];
    }
    case 'follows': {
      const parents = Object.entries(visible.parents).map(([column, table]) => `\`${table}\` by \`${column}\``);
      const follows = `as ${parents.join(', ')}`;
      return [follows, follows, ...Array.from({ length: 2 }, () => (visible.outsiders ? follows : 'none'))];
    }
    case 'staff':
      return [coded(visible.staff), coded(visible.staff), coded(visible.client), coded(visible.vendor)];
    case 'mine':
      return Array.from({ length: 4 }, () => `own rows, by \`${visible.column}\``);
    default:
      return Array.from({ length: 4 }, () => (visible.rule === 'nobody' ? 'none' : 'all'));
  }
}

/** Returns `docs/visibility.md`: the visible rows of each table, by kind of caller. */
export function visibilityText(services: readonly Service[]): string {
  const parts = services.flatMap(({ name, visibility }) => [
    `## ${name}`,
    '',
    '| Table | Staff | With the scope own or team | A client | A vendor |',
    '|---|---|---|---|---|',
    ...visibility.map((visible) => `| \`${visible.table}\` | ${cells(visible).join(' | ')} |`),
    '',
  ]);
  return [
    '# Visibility rules',
    '',
    'Written by "npm run generate". A row is visible if the condition holds. `people` are the caller and, for the scope team, their team. `actor` is',
    'the caller. A database function returns the employees whom the caller manages. Queries apply these rules in the database. Records that a request names are checked first. Fields',
    'marked `x-inner` in `openapi.json` are hidden from clients and vendors, and from members of staff without the permissions listed in the document.',
    '',
    ...parts,
  ].join('\n');
}
