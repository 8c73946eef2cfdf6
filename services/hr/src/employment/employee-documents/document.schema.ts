import { Day, Id, input, record, refTo } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { documentActions } from './document.rules.ts';

/** Document of an employee, such as a passport or a certificate. */
export const EmployeeDocument = record({
  employee_id: Id,
  type_id: Id,
  name: z.string(),
  size: z.int(),
  mime: z.string(),
  expiry: Day.nullable(),
  url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  allowed_actions: Actions(documentActions),
}).meta({ id: 'EmployeeDocument' });

/** Form fields that accompany the file. */
export const EmployeeDocumentInput = input({
  type_id: refTo('document_types'),
  expiry: Day.optional().describe('Last day on which the document is valid.'),
});
export type EmployeeDocumentInput = z.output<typeof EmployeeDocumentInput>;
