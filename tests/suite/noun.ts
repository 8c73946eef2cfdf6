/** Which kind of record a field or a path variable names, told from its name and its place. */

const PEOPLE = new Set(['owner', 'assignee', 'user', 'created_by', 'updated_by', 'by', 'actor']);
/** Records that leads and deals have each of their own. */
const OF_A_BOARD = new Set(['stage', 'task', 'call', 'file', 'email', 'discussion']);

const singular = (word: string): string => word.replace(/s$/, '');
const snake = (word: string): string => word.replaceAll('-', '_');

/** `lead-call` of `/api/lead-call/update/{call_id}`; `api-keys` of `/api/v1/settings/api-keys/{id}`. */
function resourceOf(path: string): string {
  const words = path
    .split('/')
    .slice(2)
    .filter((word) => !word.startsWith('{'));
  if (words[0] === 'v1') return words.at(-1) ?? '';
  const [resource = '', action = ''] = words;
  // An app route names its resource behind the noun that it belongs to: /api/lead/lead-stage-update.
  const named = /^(?:(?:lead|deal)-stage|pipeline)/.exec(action)?.[0];
  return named ?? resource;
}

/** The kind of record that a path is about: `lead_call`, `api_key`. */
export const nounOfPath = (path: string): string => snake(singular(resourceOf(path)));

/** The kind of record that a field or variable of an operation names: `stage_id` of a deal is a `deal_stage`. */
export function nounOf(path: string, name: string): string {
  if (name === 'id') return nounOfPath(path);
  const word = name.replace(/_ids?$/, '');
  const board = /^(lead|deal)/.exec(resourceOf(path))?.[1] ?? 'lead';
  if (PEOPLE.has(word)) return 'user';
  if (word === 'move_to') return nounOfPath(path);
  if (OF_A_BOARD.has(word)) return `${board}_${word}`;
  return word;
}
