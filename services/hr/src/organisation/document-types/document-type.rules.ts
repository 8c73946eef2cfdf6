/** Actions on document types. */
import { recordActions } from '@suite/chassis/operations';

export const documentTypeActions = recordActions('document_type', {
  update: 'document_type.update',
  delete: 'document_type.delete',
});
