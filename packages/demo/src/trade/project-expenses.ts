/** Expenses of the demo's projects: bought for them, and posted, so that they count in their cost. */
import { number, oneOf } from '../chance.ts';
import { daysAgo, type DemoContext } from './demo-context.ts';

const EACH = 3;
const DAYS = 40;
const BOUGHT = ['Photos and fonts', 'Printed samples', 'Hosting', 'Train to the customer', 'Usability test'];

/** Books some expenses on each project that is under way, where the plan has projects. */
export async function spendOnProjects(context: DemoContext): Promise<void> {
  const { person, bank_account_id, expense_category_id: category_id } = context;
  const path = '/api/projects?status=in_progress&sort=created_at&fields=id';
  const projects = await person.get<{ id: string }[]>(path).catch(() => []);
  for (const { id: project_id } of projects) {
    for (let made = 0; made < EACH; made += 1) {
      const { id } = await person.post('/api/expenses/create', {
        date: daysAgo(context, number(1, DAYS)),
        bank_account_id,
        category_id,
        project_id,
        amount: `${number(40, 600)}.00`,
        description: oneOf(BOUGHT),
      });
      for (const step of ['approve', 'post']) await person.post(`/api/expenses/${step}/${id}`);
    }
  }
}
