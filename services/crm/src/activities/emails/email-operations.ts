/** E-mails to external recipients about a lead or a deal. The command queues them, and a schedule delivers them. */
import { runAfterCommit } from '@suite/chassis/database';
import { can, created } from '@suite/chassis/operations';
import type { z } from 'zod';
import { type Board, faultsOf, type RecordKind } from '../../pipeline/board/board.ts';
import { countRecipients, EmailAllowance } from './email-allowance.ts';
import { command } from '../../operations.ts';
import { DELIVER_MAIL } from './mail-delivery.ts';
import { EmailInput, EmailMessage } from './email.schema.ts';
import { recordIdIn, lockRecord, recordInPath, recordActivity } from '../../pipeline/board/record.ts';
import { timelineSubjectOf } from '../../pipeline/board/timeline.ts';

/** Creates the operation that sends an e-mail about one kind of record. */
export const emailOperations = (
  board: Board,
  routes: { create: `POST /api/${RecordKind}-email/store/{${RecordKind}_id}` },
) => ({
  create: command(routes.create as `POST /api/${string}/{lead_id}`, {
    summary: `Send an e-mail about a ${board.kind}`,
    description: `Sends the e-mail in the background. The ${board.kind} shows its \`delivery\`. The sender is the workspace, and replies go to you. Each recipient counts towards the e-mail allowance. Returns \`email_allowance\` beyond it.`,
    access: can(`${board.kind}.update`),
    params: recordInPath(board),
    body: EmailInput,
    reply: created(EmailMessage),
    faults: [...faultsOf(board), EmailAllowance],
    prepare: ({ rpc, caller, body: { to, cc } }) => countRecipients(rpc, caller.workspace_id, to.length + cc.length),
    async handle({ params, body, ...context }) {
      const { id } = await lockRecord(context, board, recordIdIn(board, params));
      const email = await context.db.email.create({ data: { ...timelineSubjectOf(board.kind, id), ...body } });
      runAfterCommit(DELIVER_MAIL);
      await recordActivity(context, board, { id }, 'email_queued', {
        email_id: email.id,
        subject: email.subject,
        to: email.to,
      });
      return email as z.input<typeof EmailMessage>;
    },
  }),
});
