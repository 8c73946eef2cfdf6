/** The declared copies of platform's users. */
import { copyOf } from '@suite/chassis/visibility';

/** The table `users` of a service with `userFollowers`. */
export const userCopies = copyOf('platform.user', {
  table: 'users',
  id: 'id',
  columns: { name: 'name', email: 'email', phone: 'phone', kind: 'kind', status: 'status' },
  positions: ['as_of', 'status_as_of'],
  is_complete: true,
});
