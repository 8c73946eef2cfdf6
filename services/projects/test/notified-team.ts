/** Fixture for notification tests: a project of the workspace owner, and the calls that trigger notifications. */
import { expect } from '@jest/globals';
import type { Member, ServiceUnderTest } from '@suite/testing';
import type { ProjectsFixture, openProjects } from './fixture.ts';
import { mailbox } from './mailbox.ts';
import type { ProjectFixture } from './project.ts';

export const idOf = ({ caller }: Member): string => caller.user_id;

/** Creates the notified team of a test. @param set the office and its project, of the current test */
export function notifiedTeam(
  { serving, platform }: { serving: ServiceUnderTest } & Pick<Awaited<ReturnType<typeof openProjects>>, 'platform'>,
  set: { office: ProjectsFixture; project: ProjectFixture },
) {
  const { deliver } = mailbox(serving.tools);
  return {
    deliver,
    addressOf: (who: Member): string => platform.residents.get(idOf(who))!.email,
    async create(body: object = {}, by: Member = set.office.owner) {
      const reply = await by.post(`/api/project/${set.project.id}/task/create`, { title: 'Draw the page', ...body });
      expect(reply.status).toBe(201);
      return reply.body.data as { id: string; key: string };
    },
    update: (id: string, body: object, by: Member = set.office.owner) =>
      by.post(`/api/project/${set.project.id}/task/update/${id}`, body),
    comment: async (id: string, body: object, by: Member = set.office.owner) =>
      (await by.post(`/api/project/task/${id}/comment/create`, body)).body.data as { id: string },
    choose: (by: Member, body: object) => by.post('/api/project/notification-settings', body),
    /** Delivers pending e-mails and returns their recipients. */
    recipients: async () => (await deliver()).map(({ to }) => to).toSorted(),
  };
}
