/** Mentions: `@{user_id}` in a text. */

const MENTION = /@\{?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b\}?/gi;

/**
 * The users whom a text mentions. Chosen: the braces may stand or not, and an id that names nobody stays text. Markdown has
 * an "@" in many places, and nobody should fail to describe a task for one of them.
 */
export const mentionedIn = (text: string | null | undefined): string[] => [
  ...new Set(Array.from((text ?? '').matchAll(MENTION), ([, id]) => id!.toLowerCase())),
];

/** A text with the names of the users whom it mentions in place of their IDs. IDs of unknown users stay. */
export const withNames = (text: string, nameOf: ReadonlyMap<string, string>): string =>
  text.replaceAll(MENTION, (mention, id: string) => {
    const name = nameOf.get(id.toLowerCase());
    return name === undefined ? mention : `@${name}`;
  });

/** The users whom a text mentions, and did not mention before. */
export function newlyMentioned(before: string | null | undefined, after: string | null | undefined): string[] {
  const known = new Set(mentionedIn(before));
  return mentionedIn(after).filter((id) => !known.has(id));
}
