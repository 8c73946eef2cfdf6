import { type Member, patiently } from '@suite/harness';

/** Somebody who calls again what the service put off because it was busy; nothing had happened then. */
export const patient = (member: Member): Member => ({
  ...member,
  post: (...call) =>
    patiently(
      () => member.post(...call),
      ({ body }) => body?.code === 'unavailable',
    ),
});
