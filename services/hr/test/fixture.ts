/** The fixture of hr's tests: the service, and new workspaces. */
import { randomUUID } from 'node:crypto';
import { type Member, type Rights, start } from '@suite/testing';
import { hr } from '../src/hr.ts';
import type { Db } from '../src/operations.ts';
import { provideSetup } from '../src/setup/defaults.ts';

const nouns = ['branch', 'department', 'designation', 'document_type', 'shift', 'holiday'];
const basic = ['view', 'create', 'update', 'delete'];

/** Every permission that hr asks for. */
export const everything = [
  ...nouns.flatMap((noun) => basic.map((verb) => `${noun}.${verb}`)),
  'hr_setting.view',
  'hr_setting.update',
];

/** A workspace as it begins, with its owner. */
export interface Company {
  workspace: string;
  owner: Member;
  /** Somebody with chosen rights, all by default. */
  member(rights?: Rights): Member;
  /** Works in its database as a command does. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

export async function openHr() {
  const serving = await start(hr);
  async function company(): Promise<Company> {
    const workspace = randomUUID();
    const member = (rights: Rights = {}) => serving.member({ can: everything, workspace, modules: ['hrm'], ...rights });
    const context = { workspace_id: workspace, caller: null, operation: 'test', request_id: randomUUID() };
    const write: Company['write'] = (work) => serving.database.write(context, (confined) => work(confined as Db));
    await write((db) => provideSetup(db, 'Europe/Berlin'));
    return { workspace, owner: member({ kind: 'owner', name: 'Kim Example' }), member, write };
  }
  return { serving, company };
}
