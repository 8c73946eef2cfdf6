/** Tasks and tickets: lists by page, a board, and new ones. Also clocking in. */
import { main } from './databases.ts';
import type { Prisma } from './generated/client.ts';
import { type ListQuery, pageOf, windowOf } from './records.ts';

export async function listTasks(project_id: string, query: ListQuery) {
  const [found, total] = await Promise.all([
    main.task.findMany({ where: { project_id }, ...windowOf(query) }),
    main.task.count({ where: { project_id } }),
  ]);
  return pageOf(query, found, total);
}

export async function listTickets(query: ListQuery) {
  const { status = 'open' } = query;
  const [found, total] = await Promise.all([
    main.ticket.findMany({ where: { status }, ...windowOf(query) }),
    main.ticket.count({ where: { status } }),
  ]);
  return pageOf(query, found, total);
}

/** Returns the stages of a project, each with its number of cards and its first cards. */
export async function showBoard(project_id: string, per_column: number) {
  const stages = await main.taskStage.findMany({ where: { project_id }, orderBy: { position: 'asc' } });
  return await Promise.all(
    stages.map(async (stage) => {
      const where = { stage_id: stage.id };
      const orderBy = [{ rank: 'asc' as const }, { id: 'asc' as const }];
      const [count, tasks] = await Promise.all([
        main.task.count({ where }),
        main.task.findMany({ where, orderBy, take: per_column }),
      ]);
      return { ...stage, count, tasks };
    }),
  );
}

/** The body of a new task. */
export interface NewTask {
  title: string;
  description: string;
  due_date: string;
}

export const createTask = (project_id: string, { due_date, ...task }: NewTask) =>
  main.$transaction(async (db) => {
    const { last_number: number } = await db.project.update({
      where: { id: project_id },
      data: { last_number: { increment: 1 } },
    });
    const { id: stage_id } = await db.taskStage.findFirstOrThrow({ where: { project_id, position: 1 } });
    const place = { project_id, stage_id, number, rank: number };
    return await db.task.create({ data: { ...task, ...place, due_date: new Date(due_date) } });
  });

/** The body of a new ticket. */
export interface NewTicket {
  subject: string;
  description: string;
  requester: { name: string; email: string };
}

export function createTicket({ subject, description, requester: { name, email } }: NewTicket) {
  const data: Prisma.TicketCreateInput = { subject, description, requester_name: name, requester_email: email };
  return main.ticket.create({ data });
}

/** Records an employee's first punch of a day. */
export function clockIn(employee_id: string) {
  const at = new Date();
  const punches = { create: { type: 'in', at } };
  return main.attendance.create({ data: { employee_id, day: at, first_in: at, punches }, include: { punches: true } });
}
