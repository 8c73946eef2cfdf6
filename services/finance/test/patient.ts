import { setTimeout as pause } from 'node:timers/promises';
import type { Member } from '@suite/harness';

const TRIES = 40;

/** Somebody who calls again what the service put off because it was busy, as its answer asks for; nothing had happened then. */
export function patient(member: Member): Member {
  const post: Member['post'] = async (path, body, options) => {
    for (let tried = 1; ; tried += 1) {
      const reply = await member.post(path, body, options);
      if (reply.body?.code !== 'unavailable' || tried === TRIES) return reply;
      await pause(200);
    }
  };
  return { ...member, post };
}
