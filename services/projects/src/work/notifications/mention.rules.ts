/** Mentions of users in a text: `@{user_id}`. */

const MENTION = /@\{?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\b\}?/gi;

/**
 * Returns the users mentioned in a text. Chosen: braces are optional, and an unknown ID stays plain text. Markdown uses
 * "@" in many places, and such a text must not be rejected.
 */
export const mentionedUsers = (text: string | null | undefined): string[] => [
  ...new Set(Array.from((text ?? '').matchAll(MENTION), ([, id]) => id!.toLowerCase())),
];

/** Replaces the IDs of mentioned users by their names. IDs of unknown users remain. */
export const withNames = (text: string, nameOf: ReadonlyMap<string, string>): string =>
  text.replaceAll(MENTION, (mention, id: string) => {
    const name = nameOf.get(id.toLowerCase());
    return name === undefined ? mention : `@${name}`;
  });

/** Returns the users that are newly mentioned in a text. */
export function newlyMentioned(before: string | null | undefined, after: string | null | undefined): string[] {
  const mentionedBefore = new Set(mentionedUsers(before));
  return mentionedUsers(after).filter((id) => !mentionedBefore.has(id));
}
