/**
 * Reads e-mails in worker threads, because the sender determines how long the libraries take. Only this file loads
 * them.
 */
import { type ExceededLimit, openWorkers } from '@suite/bounded-work';
import type { Fault } from '@suite/chassis/faults';
import type { MailBody } from './body.ts';
import { UnreadableMail } from '../../content/mime/mail.rules.ts';
import type { ReadMail } from './message.ts';

const MIB = 2 ** 20;

const workers = openWorkers<typeof import('./mail-worker.ts')>(new URL('./mail-worker.ts', import.meta.url), {
  refuse: (reason: ExceededLimit): Fault => UnreadableMail({ reason }),
  memory_mb: 512,
  // A large attachment needs more time without being an attack.
  work_ms: ([raw]) => 1_000 + (60 * (raw as Uint8Array).byteLength) / MIB,
});

/**
 * Reads an e-mail within limits of processor time and memory.
 * @param authentication_server trusted server of authentication results. Null for none
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readMailWithinLimits(
  workspace_id: string,
  raw: Uint8Array,
  authentication_server: string | null,
): Promise<{ mail: ReadMail; body: MailBody }> {
  const { mail, body } = await workers.call.readMailAndBody(workspace_id, raw, authentication_server);
  // The worker transfers a Buffer as plain bytes.
  const attachments = mail.attachments.map((one) => ({ ...one, content: Buffer.from(one.content) }));
  return { mail: { ...mail, attachments }, body };
}
