import { BooksChanged } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { copyBooks } from '../workspaces/workspaces/workspace-settings.ts';

/** Copies base currency and fiscal year if the request that changed them did not complete. */
export const copyBooksOfWorkspace = on(BooksChanged, 'platform.copy-books', ({ event, db, emit }) =>
  copyBooks({ db, emit }, event.books_id, event),
);
