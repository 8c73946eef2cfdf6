import { type Guide, guidePath, guideTitle } from './pages/guides.ts';

/** Returns the first paragraph of a guide as plain text. */
const summaryOf = ({ html }: Guide): string =>
  (/<p>(.*?)<\/p>/s.exec(html)?.[1] ?? '').replaceAll(/<\/?code>/g, '`').replaceAll(/\s+/g, ' ');

/** Returns the introduction of the API docs, with links to the guides. */
export function description(guides: readonly Guide[]): string {
  const links = guides.map((guide) => `- [${guideTitle(guide)}](${guidePath(guide)}): ${summaryOf(guide)}`);
  return `A business-management suite as an API: CRM, sales, invoicing, accounting, inventory, projects, support desk, HR and payroll.

Sign in with \`POST /api/login\`, and send the token as \`Authorization: Bearer …\`. Responses contain \`data\`, and lists also \`meta\`. Errors contain a
\`message\` for users and a stable \`code\`. Each operation states the permission and the module that it requires.

## Guides

${links.join('\n')}
- [Error codes](/docs/errors): every code, its messages, and what to do.
`;
}
