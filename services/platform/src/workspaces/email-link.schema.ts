import { z } from 'zod';

/** The placeholder that an address may contain: of a record or of a one-time token. */
type Placeholder = 'id' | 'token' | undefined;

/** Whether an address is https and has its placeholder behind the host, and no other. */
function isPage(address: string, placeholder: Placeholder): boolean {
  const names = [...address.matchAll(/\{(\w*)\}/g)].map(([, name]) => name);
  if (/[{}]/.test(address.replaceAll(/\{\w+\}/g, ''))) return false;
  if (placeholder ? names.length !== 1 || names[0] !== placeholder : names.length > 0) return false;
  const { origin, protocol, username } = new URL(address.replaceAll(/\{\w+\}/g, 'x'));
  return protocol === 'https:' && username === '' && (address === origin || address.startsWith(`${origin}/`));
}

/** The address of a page, with its placeholder. */
const pageAddress = (placeholder?: Placeholder) => {
  const wanted = placeholder ? `with {${placeholder}} once behind the host name` : 'without placeholders';
  const message = `Enter an address such as https://app.example.com/page ${wanted}.`;
  return z
    .string()
    .max(500)
    .refine((address) => URL.canParse(address.replaceAll(/\{\w+\}/g, 'x')) && isPage(address, placeholder), message)
    .optional();
};

const withToken = (page: string) =>
  pageAddress('token').describe(`${page} Must contain \`{token}\`, which opens it once.`);
const ofRecord = (record: string) => pageAddress('id').describe(`The page of ${record}. Must contain \`{id}\`.`);

/** The pages that e-mails of a workspace link to. Without one, e-mails link to a plain page of the suite, or to none. */
export const EmailLinks = z
  .strictObject({
    sign_in: pageAddress().describe('The page on which users sign in.'),
    invitation: withToken('The page on which an invited user chooses a password.'),
    password_reset: withToken('The page on which a user chooses a new password.'),
    email_verification: withToken('The page on which a user confirms an e-mail address.'),
    ticket_public: withToken('The page on which a requester reads a ticket without signing in.'),
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

/** The links whose token signs a user in or opens a record: whoever receives them can act as the reader. */
export const TOKEN_LINKS = ['invitation', 'password_reset', 'email_verification', 'ticket_public'] as const;
