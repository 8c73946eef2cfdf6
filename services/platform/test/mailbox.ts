/** For tests: the e-mails that platform has sent. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceUnderTest } from '@suite/testing';
import { deliverMail } from '../src/identity/mail/mail-delivery.ts';
import { executeRequests } from './workspace.ts';

export interface Mailbox {
  /** Returns all e-mails sent to an address, decoded. */
  emailsTo(email: string): Promise<string[]>;
  /** Returns the token in the newest e-mail to an address. */
  tokenTo(email: string): Promise<{ purpose: string; token: string }>;
}

/** Delivers due e-mails and reads them. */
export function mailbox(platform: ServiceUnderTest): Mailbox {
  async function emailsTo(email: string): Promise<string[]> {
    await executeRequests(platform);
    await deliverMail.work(platform.tools as never);
    const found = await readdir(platform.mail_directory).catch(() => []);
    const names = found.filter((name) => /^[^.].*\.eml$/.test(name)).toSorted((one, other) => one.localeCompare(other));
    const texts = await Promise.all(names.map((name) => readFile(join(platform.mail_directory, name), 'utf8')));
    return texts
      .filter((text) => text.includes(`To: ${email}`))
      .map((text) => text.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  }

  async function tokenTo(email: string): Promise<{ purpose: string; token: string }> {
    const email_text = (await emailsTo(email)).at(-1) ?? '';
    const [, purpose = '', token = ''] =
      /http:\/\/suite\.test\/api\/one-time-link#(\w+)=([\w-]+)/.exec(email_text) ?? [];
    return { purpose, token };
  }

  return { emailsTo, tokenTo };
}
