/** Permissions written short. An owner has more than two hundred, and they go with every request. */
import { LRUCache } from 'lru-cache';

/**
 * A list of permissions as one text that is a third as long: the sets of verbs, each once, and the nouns with the number of
 * theirs (`view,create|lead.0 deal.0`). It names no table of permissions that both sides would have to have in the same edition:
 * it means the same in every release, also where one of them knows a permission and the other does not.
 */
export type Folded = string;

const PERMISSION = /^(\w+)\.(\w+)$/;
const FOLDED = /^\w+(?:[,;]\w+)*\|\w+\.\d+(?: \w+\.\d+)*$/;

/** Neighbours in the list that have the same noun. */
function runs(permissions: readonly string[]): { noun: string; verbs: string[] }[] | undefined {
  const found: { noun: string; verbs: string[] }[] = [];
  for (const permission of permissions) {
    const [, noun, verb] = PERMISSION.exec(permission) ?? [];
    if (!noun || !verb) return undefined;
    const last = found.at(-1);
    if (last?.noun === noun) last.verbs.push(verb);
    else found.push({ noun, verbs: [verb] });
  }
  return found;
}

/** Writes permissions short, in their order; undefined when there is none, or one that is not spelled `noun.verb`. */
export function fold(permissions: readonly string[]): Folded | undefined {
  const found = runs(permissions);
  if (!found?.length) return undefined;
  const sets = new Map<string, number>();
  const nouns = found.map(({ noun, verbs }) => {
    const set = verbs.join();
    const at = sets.get(set) ?? sets.size;
    sets.set(set, at);
    return `${noun}.${at}`;
  });
  return `${[...sets.keys()].join(';')}|${nouns.join(' ')}`;
}

/** The same list for everybody who may do the same: a role has many callers, and each of them many tokens. */
const known = new LRUCache<Folded, readonly string[]>({ max: 1_000 });

/** Spells out what `fold` wrote. @throws when it is nothing that `fold` writes: a right that cannot be read is no right */
export function unfold(folded: Folded): readonly string[] {
  const before = known.get(folded);
  if (before) return before;
  if (typeof folded !== 'string' || !FOLDED.test(folded)) throw new Error('These are no permissions.');
  const [sets = '', nouns = ''] = folded.split('|');
  const verbs = sets.split(';').map((set) => set.split(','));
  const permissions = nouns.split(' ').flatMap((each) => {
    const [noun, at] = each.split('.');
    const set = verbs[Number(at)];
    if (!set) throw new Error(`There is no set ${at} of verbs.`);
    return set.map((verb) => `${noun}.${verb}`);
  });
  known.set(folded, Object.freeze(permissions));
  return permissions;
}
