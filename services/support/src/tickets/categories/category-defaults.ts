/** Default priority and assignee of a ticket, from its category. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

interface CategoryDefaults {
  default_assignee: string | null;
  priority: string | null;
}

/** Returns the default priority and assignee of a category. Omits an assignee who is not active. */
export async function readCategoryDefaults(db: Db, id: string | null | undefined): Promise<CategoryDefaults> {
  const [category] = id
    ? await db.rows<CategoryDefaults>(sql`
        SELECT priority, users.id AS default_assignee FROM categories
        LEFT JOIN users ON users.id = categories.default_assignee AND users.status = 'active'
        WHERE categories.id = ${id}::uuid`)
    : [];
  return category ?? { default_assignee: null, priority: null };
}
