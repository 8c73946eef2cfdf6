import { randomUUID } from 'node:crypto';
import { methodConformance, start } from '@suite/testing';
import { openWorkspace } from '../../test/workspace.ts';
import { platform } from '../platform.ts';
import { platformRpc } from './platform.rpc.ts';

const serving = await start({ ...platform, schedules: [] });

methodConformance({
  name: 'platform',
  serving,
  served: platformRpc,
  idempotent: {
    async ensureClientUser() {
      const { caller } = await (await openWorkspace(serving)).as('owner');
      const request = { idempotency_key: randomUUID(), name: 'Ada', email: 'ada@example.com', phone: '', password: '' };
      return { caller, request, other: { ...request, email: 'grace@example.com' } };
    },
    async ensureStaffUser() {
      const { caller } = await (await openWorkspace(serving)).as('owner');
      const request = { idempotency_key: randomUUID(), name: 'Ada', email: 'ada@example.com', role_key: 'staff' };
      return { caller, request, other: { ...request, role_key: 'manager' } };
    },
    async sendSms() {
      const acme = await openWorkspace(serving);
      const { caller } = await acme.as('owner');
      const request = { idempotency_key: randomUUID(), user_id: acme.users.staff, text: 'Call Ada back.' };
      return { caller, request, other: { ...request, text: 'Call Grace back.' } };
    },
  },
});
