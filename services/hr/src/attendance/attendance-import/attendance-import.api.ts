/** Import of attendance logs. Each line of a log counts once. */
import { DryRun, Zone } from '@suite/chassis/fields';
import { decodeText } from '@suite/chassis/files';
import { can, ok } from '@suite/chassis/operations';
import { z } from 'zod';
import { command } from '../../operations.ts';
import { LINES_MAX, readLog, UnreadableLog } from './log.rules.ts';
import { importDeviceLog } from './log-import.ts';

export const LogImport = z
  .object({
    created: z.int(),
    skipped: z.int().describe('Lines that were imported before, or repeat a punch within a minute.'),
    failed: z.array(
      z.object({
        line: z.int().describe('Line number from 1, the header included.'),
        code: z
          .string()
          .describe(
            'The reason, such as `unknown_employee`, `unreadable_time`, `no_such_time` (a time that the clock skips), `too_old`, `in_the_future`, `payroll_closed` or `entered_by_hand`.',
          ),
      }),
    ),
  })
  .meta({ id: 'AttendanceImport' });

const MAX_BYTES = 5 * 1024 * 1024;

export const importLog = command('POST /api/attendance/import', {
  summary: 'Import an attendance log',
  description: `Imports a CSV file of at most 5 MiB and ${LINES_MAX} lines. Requires the columns \`employee_code\`, \`at\` and \`device_id\`. The column \`type\` is optional. Times are \`2026-07-23 09:00\` in \`device_zone\`, or \`2026-07-23T09:00:00+02:00\`. Sorts lines by time, among existing punches as well. A line without \`type\` alternates between in and out. Lines of days in a final payslip fail with \`payroll_closed\`.`,
  addition: 'Employees clock in at devices, whose logs arrive as files, or are pushed to an unguessable address.',
  access: can('attendance.create'),
  query: { dry_run: DryRun, device_zone: Zone.optional().describe('Defaults to the time zone of the workspace.') },
  upload: { field: 'file', kinds: ['csv', 'txt'], max_bytes: MAX_BYTES },
  reply: ok(LogImport),
  faults: [UnreadableLog],
  async prepare({ files, storage }) {
    const text = decodeText(await storage.read(files[0]!.key));
    // Only the contents are stored. The file itself is deleted.
    await Promise.all(files.splice(0).map(({ key }) => storage.remove(key)));
    return readLog(text);
  },
  handle: ({ query: { device_zone }, prepared, caller, ...context }) =>
    importDeviceLog(context, { lines: prepared, zone: device_zone ?? caller.timezone, by: caller }),
});
