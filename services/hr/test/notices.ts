/** Fixture of the notice tests: a workspace with two branches, signed-in employees and the schedules. */
import type { Member, CallerOptions } from '@suite/testing';
import { type TestWorkspace, openHr } from './fixture.ts';
import { remindOverdue } from '../src/notices/acknowledgments/reminders.ts';
import { applyDueSteps } from '../src/notices/notices/notice-schedule.ts';
import { deliverNotices } from '../src/notices/notice-mails/mail-delivery.ts';

/** Signed-in employee. */
export interface SignedInEmployee {
  id: string;
  user: Member;
}

export type NoticesFixture = TestWorkspace & {
  /** ID of the branch without any default employees. */
  harbour: string;
  /** ID of the branch of all other employees. */
  main: string;
  /** Creates an employee with a login who can only read published notices. */
  hire(
    name: string,
    more?: { branch_id?: string; status?: string; dob?: string },
    rights?: CallerOptions,
  ): Promise<SignedInEmployee>;
  /** Delivers the queued e-mails of the workspace. */
  deliver(): Promise<{ to: string | undefined; subject: string; text: string }[]>;
  /** Creates and publishes a notice. Returns its ID. */
  publish(noun: 'announcement' | 'event', body: object): Promise<string>;
};

const VIEW_PERMISSIONS = ['announcement.view', 'event.view', 'hrm_document.view'];

/** Starts hr for the notice tests. */
export async function openOffices() {
  const hr = await openHr();
  const { serving, company } = hr;
  const log = { error: (_: unknown, message: string) => failures.push(message), warn() {} } as never;
  const failures: string[] = [];
  const tools = { ...(serving.tools as object), database: serving.database as never, log };
  const sent: { to: string; subject: string; text: string }[] = [];
  const mailer = { send: (mail: (typeof sent)[number]) => Promise.resolve(void sent.push(mail)) };
  /**
   * Delivers the queued e-mails, in any order. Returns the e-mails to one workspace, sorted by the local part of the
   * address.
   */
  async function deliver(workspace: string) {
    sent.length = 0;
    while ((await deliverNotices({ ...tools, mailer } as never)) > 0);
    const received = sent.flatMap(({ to, subject, text }) => {
      const [name = '', domain] = to.split('@');
      return domain === `${workspace}.test` ? [{ to: name, subject, text }] : [];
    });
    return received.toSorted((one, other) => one.to.localeCompare(other.to));
  }
  async function office(): Promise<NoticesFixture> {
    const acme = await company();
    const { id: harbour } = (await acme.owner.post('/api/branch/create', { name: 'Harbour' })).body.data;
    const branches = (await acme.owner.get('/api/branches')).body.data;
    const { id: main } = branches.find(({ name }: { name: string }) => name === 'Main');
    const hire: NoticesFixture['hire'] = async (name, more = {}, rights = {}) => {
      const user = acme.member({ name, can: VIEW_PERMISSIONS, ...rights });
      const email = `${name.toLowerCase().replaceAll(' ', '.')}@${acme.workspace}.test`;
      return { id: await acme.employ({ name, user_id: user.caller.user_id, email, ...more }), user };
    };
    const publish: NoticesFixture['publish'] = async (noun, body) => {
      const { id } = (await acme.owner.post(`/api/${noun}/create`, body)).body.data;
      const { status, body: answer } = await acme.owner.post(`/api/${noun}/update-status/${id}`, { action: 'publish' });
      if (status !== 200) throw new Error(JSON.stringify(answer));
      return id;
    };
    return { ...acme, deliver: () => deliver(acme.workspace), harbour, main, hire, publish };
  }
  return {
    ...hr,
    office,
    failures,
    keepNotices: () => applyDueSteps(tools),
    remind: () => remindOverdue(tools),
  };
}
