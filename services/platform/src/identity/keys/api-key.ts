/** Revocation of API keys. */
import type { Emit, RequestMetadata } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { ApiKeyRevoked } from '@suite/proto/platform/v1/events';
import { recordAccountEvent } from '../accounts/user-log.ts';
import type { Db } from '../../operations.ts';

/** Revokes the valid keys among these, emits an event and adds an entry to the account log. */
export async function revokeKeys(
  db: Db,
  emit: Emit,
  filter: { id: string } | { user_id: string },
  request: RequestMetadata | undefined,
): Promise<void> {
  const revoked = await db.apiKey.updateManyAndReturn({
    where: { ...filter, revoked_at: null },
    data: { revoked_at: clock.now() },
  });
  for (const { id, user_id } of revoked) {
    emit(ApiKeyRevoked, { api_key_id: id, user_id });
    if (request) await recordAccountEvent(db, 'key_revoke', user_id, request, id);
  }
}
