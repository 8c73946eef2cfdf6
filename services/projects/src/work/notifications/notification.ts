/** Records notifications in the transaction of the change. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { type NotificationChoices, choices } from './notification-settings.ts';
import type { NotificationKind } from './notification.schema.ts';

/** Event of a task or a bug, with the affected users. */
export interface NotificationEvent {
  kind: Exclude<NotificationKind, 'due'>;
  item_id: string;
  comment_id?: string;
  user_ids: readonly string[];
}

type UserChoices = NotificationChoices & { id: string };

/** Returns the users who can be notified, with their choices. */
const findChoices = (db: Db, user_ids: readonly string[]): Promise<UserChoices[]> =>
  db.rows<UserChoices>(sql`
    SELECT users.id, ${choices} FROM users
    LEFT JOIN notification_settings AS chosen ON chosen.user_id = users.id
    WHERE users.id = ANY(${user_ids}::uuid[]) AND users.kind <> 'vendor' AND users.status <> 'former'`);

/**
 * Records notifications. Users who want immediate notifications get one e-mail for all. Each user is notified of the
 * same comment once, by the first of `news` that they want.
 * @param actor_id the acting user, who is not notified. Null for automatic changes
 */
export async function notify(db: Db, actor_id: string | null, news: readonly NotificationEvent[]): Promise<void> {
  const recipients = new Set(news.flatMap(({ user_ids }) => user_ids).filter((id) => id !== actor_id));
  if (recipients.size === 0) return;
  const notified = new Set<string>();
  const mails = new Map<string, string>();
  const rows = [];
  const choosers = new Map((await findChoices(db, [...recipients])).map((chooser) => [chooser.id, chooser]));
  for (const { kind, item_id, comment_id = null, user_ids } of news)
    for (const user_id of user_ids) {
      const chooser = recipients.has(user_id) ? choosers.get(user_id) : undefined;
      const subject = `${user_id} ${item_id} ${comment_id}`;
      if (!chooser || chooser[kind] === 'none' || (comment_id && notified.has(subject))) continue;
      notified.add(subject);
      const isDaily = chooser[kind] === 'daily';
      if (!isDaily && !mails.has(user_id)) mails.set(user_id, randomUUIDv7());
      rows.push({ user_id, kind, item_id, comment_id, actor_id, mail_id: isDaily ? null : mails.get(user_id)! });
    }
  if (rows.length === 0) return;
  await db.mail.createMany({ data: [...mails].map(([user_id, id]) => ({ id, user_id, kind: 'news' })) });
  await db.notification.createMany({ data: rows });
}
