import { z } from 'zod';

/** Placeholder that an address can contain: a record ID or a token. */
type Placeholder = 'id' | 'token' | undefined;

/** Returns true if a URL is https and has exactly its placeholder, after the host. */
function isPage(address: string, placeholder: Placeholder): boolean {
  const names = [...address.matchAll(/\{(\w*)\}/g)].map(([, name]) => name);
  if (/[{}]/.test(address.replaceAll(/\{\w+\}/g, ''))) return false;
  if (placeholder ? names.length !== 1 || names[0] !== placeholder : names.length > 0) return false;
  const { origin, protocol, username } = new URL(address.replaceAll(/\{\w+\}/g, 'x'));
  return protocol === 'https:' && username === '' && (address === origin || address.startsWith(`${origin}/`));
}

/** Returns the schema of a page address with its placeholder. */
const pageAddress = (placeholder?: Placeholder) => {
  const wanted = placeholder ? `with {${placeholder}} once behind the host name` : 'without placeholders';
  const message = `Enter an address such as https://app.example.com/page ${wanted}.`;
  return z
    .string()
    .max(500)
    .refine((address) => URL.canParse(address.replaceAll(/\{\w+\}/g, 'x')) && isPage(address, placeholder), message)
    .optional();
};

const withToken = (page: string, validity: string) =>
  pageAddress('token').describe(`${page} Must contain \`{token}\`. ${validity}`);
const VALID_ONCE = 'The token is valid once.';
const ofRecord = (record: string) => pageAddress('id').describe(`The page of ${record}. Must contain \`{id}\`.`);

/** Pages that e-mails of a workspace link to. Defaults to a plain page of the suite, or to no link. */
export const EmailLinks = z
  .strictObject({
    sign_in: pageAddress().describe('Page where users sign in.'),
    invitation: withToken('Page where an invited user chooses a password.', VALID_ONCE),
    password_reset: withToken('Page where a user chooses a new password.', VALID_ONCE),
    email_verification: withToken('Page where a user confirms an e-mail address.', VALID_ONCE),
    ticket_public: withToken(
      'Page where a requester reads a ticket without signing in.',
      'The link can be opened repeatedly.',
    ),
    ticket: ofRecord('a ticket'),
    leave_request: ofRecord('a leave request'),
    lead: ofRecord('a lead'),
    task: ofRecord('a CRM task'),
    project: ofRecord('a project'),
    work_item: ofRecord('a task or a bug of a project'),
    announcement: ofRecord('an announcement'),
    hr_document: ofRecord('an HR document'),
    event: ofRecord('an HR event'),
  })
  .meta({ id: 'EmailLinks' });
export type EmailLinks = z.output<typeof EmailLinks>;

/**
 * Links whose token signs a user in or opens a record. Anyone who receives such a link can act as the intended reader.
 */
export const TOKEN_LINKS = ['invitation', 'password_reset', 'email_verification', 'ticket_public'] as const;
