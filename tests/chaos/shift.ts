/** Somebody at work: sells through the gateway, one thing after the other, until they are told to stop. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SignedIn } from '../suite/person.ts';
import type { Recorder } from './recorder.ts';

/** What everybody on the shift works with. */
export interface Ground {
  owner: SignedIn;
  recorder: Recorder;
  role_id: string;
  /** The stage that leads are moved to. */
  stage_id: string;
  stopping: AbortSignal;
}

const BREATH_MS = 30;

/** A lead that is made, talked about, moved on and converted with a client who is new to the suite. */
async function sell({ owner, recorder, stage_id }: Ground): Promise<void> {
  const marker = randomUUID();
  const { outcome, reply } = await recorder.write({
    kind: 'lead',
    marker,
    send: (headers) => owner.post('/api/lead/create', { name: marker }, headers),
  });
  if (outcome !== 'ok') return;
  const id = reply?.body.data.id;
  await recorder.write({
    kind: 'note',
    marker,
    send: (headers) => owner.post(`/api/lead-discussion/store/${id}`, { comment: marker }, headers),
  });
  await recorder.write({
    kind: 'move',
    marker,
    send: (headers) => owner.post(`/api/lead/update/${id}`, { stage_id }, headers),
  });
  const client = { name: marker, email: `${marker}@example.test` };
  await recorder.write({
    kind: 'conversion',
    marker,
    send: (headers) => owner.post(`/api/lead/convert-to-deal/${id}`, { client }, headers),
  });
}

/** A colleague who is invited, gets a lead, and leaves again: the lead must not stay with somebody who is gone. */
async function employ({ owner, recorder, role_id }: Ground): Promise<void> {
  const marker = randomUUID();
  const invitation = { name: marker, email: `${marker}@example.test`, role_id };
  const { outcome, reply } = await recorder.write({
    kind: 'invitation',
    marker,
    send: (headers) => owner.post('/api/user/store', invitation, headers),
  });
  if (outcome !== 'ok') return;
  const owner_id = reply?.body.data.id;
  const given = { name: marker, owner_id };
  await recorder.write({ kind: 'lead', marker, send: (headers) => owner.post('/api/lead/create', given, headers) });
  await recorder.write({
    kind: 'departure',
    marker,
    send: (headers) => owner.delete(`/api/user/delete/${owner_id}`, undefined, headers),
  });
}

/** Works until the shift is over; what was begun is finished. */
export async function work(ground: Ground, task: 'sell' | 'employ'): Promise<void> {
  while (!ground.stopping.aborted) {
    await (task === 'sell' ? sell(ground) : employ(ground));
    await pause(BREATH_MS);
  }
}
