import { type Condition, described, type Service, type Visibility } from '@suite/chassis/declarations';

function code(condition: Condition, table: string): string {
  const text = described(condition, table);
  if (text === 'FALSE') return 'none';
  return text === 'TRUE' ? 'all' : `\`${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')}\``;
}

/** The rows that staff see, those of the scopes own and team, and those that clients and vendors see. */
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
      return Array.from({ length: 4 }, () => `the own, by \`${visible.column}\``);
    default:
      return Array.from({ length: 4 }, () => (visible.rule === 'nobody' ? 'none' : 'all'));
  }
}

/** `docs/visibility.md`: who may see which rows of each table. */
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
    '# Who may see which rows',
    '',
    'Written by "npm run generate". A row is visible when the condition holds; `people` are the caller and, for the scope team, his team; `actor` is',
    'the caller; a function of the database tells whom he leads. Queries read by these rules in the database; what a request names is looked up by them before anything else is said of it. Fields',
    'marked `x-inner` in `openapi.json` are left out for clients and vendors, and for members of staff without the permissions that stand there.',
    '',
    ...parts,
  ].join('\n');
}
