/** Compact form of permissions. An owner has more than two hundred, and every request carries them. */
import { LRUCache } from 'lru-cache';

/**
 * A list of permissions as one text with a third of the length. It contains each set of verbs once, and the nouns with
 * the number of their set (`view,create|lead.0 deal.0`). It needs no shared table of permissions. Therefore it has the
 * same meaning in every release, even if only one side knows a permission.
 */
export type PackedPermissions = string;

const PERMISSION = /^(\w+)\.(\w+)$/;
const FOLDED = /^\w+(?:[,;]\w+)*\|\w+\.\d+(?: \w+\.\d+)*$/;

/** Groups adjacent permissions with the same noun. */
function groupByNoun(permissions: readonly string[]): { noun: string; verbs: string[] }[] | undefined {
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

/** Folds permissions in their order. Undefined if there are none, or if one is not spelled `noun.verb`. */
export function packPermissions(permissions: readonly string[]): PackedPermissions | undefined {
  const found = groupByNoun(permissions);
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

/**
 * Shares one list among all callers with the same permissions: a role has many callers, and a caller has many tokens.
 */
const unpackedLists = new LRUCache<PackedPermissions, readonly string[]>({ max: 1_000 });

/** Unfolds the output of `packPermissions`. @throws for any other text: a permission that cannot be read is not granted */
export function unpackPermissions(folded: PackedPermissions): readonly string[] {
  const before = unpackedLists.get(folded);
  if (before) return before;
  if (typeof folded !== 'string' || !FOLDED.test(folded)) throw new Error('Not a list of packed permissions.');
  const [sets = '', nouns = ''] = folded.split('|');
  const verbs = sets.split(';').map((set) => set.split(','));
  const permissions = nouns.split(' ').flatMap((each) => {
    const [noun, at] = each.split('.');
    const set = verbs[Number(at)];
    if (!set) throw new Error(`Verb set ${at} does not exist.`);
    return set.map((verb) => `${noun}.${verb}`);
  });
  unpackedLists.set(folded, Object.freeze(permissions));
  return permissions;
}
