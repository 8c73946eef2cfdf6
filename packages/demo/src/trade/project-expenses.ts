/** Expenses of the demo's projects: purchased and posted, so that they count in the project cost. */
import { randomNumber, pickOne } from '../random.ts';
import { daysAgo, type DemoContext, withOwnQueue } from './demo-context.ts';

const EACH = 3;
const DAYS = 40;
const BOUGHT = ['Photos and fonts', 'Printed samples', 'Hosting', 'Train to the customer', 'Usability test'];

/** Returns the active projects, if the plan includes projects. */
export async function readProjects({ person }: DemoContext): Promise<string[]> {
  const path = '/api/projects?status=in_progress&sort=created_at&fields=id';
  const projects = await person.get<{ id: string }[]>(path).catch(() => []);
  return projects.map(({ id }) => id);
}

/** Chooses some expenses of each project. Returns a function that posts them. */
export function decideExpenses(context: DemoContext, projects: readonly string[]): () => Promise<void> {
  const { bank_account_id, expense_category_id: category_id } = context;
  const { person } = withOwnQueue(context, 'project expenses');
  const expenses = projects.flatMap((project_id) =>
    Array.from({ length: EACH }, () => ({
      date: daysAgo(context, randomNumber(1, DAYS)),
      bank_account_id,
      category_id,
      project_id,
      amount: `${randomNumber(40, 600)}.00`,
      description: pickOne(BOUGHT),
    })),
  );
  return async () => {
    for (const expense of expenses) {
      const { id } = await person.post('/api/expenses/create', expense);
      for (const step of ['approve', 'post']) await person.post(`/api/expenses/${step}/${id}`);
    }
  };
}
