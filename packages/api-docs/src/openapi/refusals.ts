/** Errors of an operation: every status with its possible codes, as an enumeration. */
import { type FaultMaker, type Operation, standardFaults } from '@suite/chassis/declarations';
import { removed } from '@suite/chassis/operations';
import { comparesVersion, headersOf } from './headers.ts';
import { type Json, json } from '../schemas.ts';

const CODE = 'Stable code of the error. `/docs/errors` explains each code.';
const byCode = new Map(standardFaults.map((fault) => [fault.code, fault]));

/** Faults of the gateway and the chassis, in addition to the faults that the operation declares. */
function standardCodes(operation: Operation): string[] {
  const { kind, access, module, params = {}, body, upload, message, reply } = operation;
  const isSigned = access.kind !== 'public';
  const takesBody = Boolean(body || upload || message);
  const isKeyed = kind === 'command' && isSigned;
  const codes: [boolean, ...string[]][] = [
    [true, 'malformed_request', 'too_many_parameters'],
    [isSigned, 'unauthenticated', 'wrong_token_class'],
    [access.kind === 'permission', 'forbidden'],
    [Boolean(module), 'module_disabled'],
    [Object.keys(params).length > 0 || kind === 'command', 'not_found'],
    [reply.shape !== 'stream', 'not_acceptable'],
    [kind === 'command', 'in_use', 'invalid_transition'],
    [kind === 'command' && reply.schema !== removed.schema, 'already_exists'],
    [isKeyed, 'request_in_progress'],
    [comparesVersion(operation), 'stale'],
    [takesBody, 'payload_too_large', 'unsupported_media_type'],
    [
      Boolean(upload),
      'file_too_large',
      'unsupported_file_type',
      'plan_limit',
      'file_refused_by_scan',
      'file_scan_unavailable',
    ],
    [true, 'validation_failed'],
    [Boolean(body) && (!upload || upload.optional === true), 'malformed_json'],
    [isKeyed, 'idempotency_key_reused'],
    [true, 'rate_limited', 'internal', 'unavailable'],
  ];
  return codes.flatMap(([applies, ...names]) => (applies ? names : []));
}

const sentences = (faults: readonly FaultMaker[]): string =>
  faults.map(({ code, text }) => `\`${code}\`: ${text}`).join(' ');

const refusal = (status: number, faults: readonly FaultMaker[]): Json => ({
  description: sentences(faults),
  headers: headersOf(status),
  content: json({
    allOf: [
      { $ref: '#/components/schemas/Fault' },
      {
        type: 'object',
        properties: { code: { type: 'string', enum: faults.map(({ code }) => code), description: CODE } },
      },
    ],
  }),
});

/** Returns the errors by status. Errors that several operations share are written once and referenced. */
export function faultsOf(operation: Operation, shared: Json): Json {
  const standard = standardCodes(operation).map((code) => byCode.get(code)!);
  const own = (operation.faults ?? []).filter(({ code }) => !standard.some((fault) => fault.code === code));
  const byStatus = Map.groupBy([...standard, ...own], ({ status }) => status);
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, faults]) => {
        if (faults.some((fault) => own.includes(fault))) return [status, refusal(status, faults)];
        const name = faults
          .map(({ code }) => code.replaceAll(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase()))
          .join('Or');
        shared[name] ??= refusal(status, faults);
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
  );
}

const CODE_WITH_STATUS = /(?:\b(\d{3}) )?`(\w+)`/g;

/**
 * Writes the HTTP status before the error codes in the description of an operation: "Returns 409 `in_use`". Codes of
 * one status that follow each other in a sentence share the number. Codes of single rows ("fail with") have no status.
 */
export function withStatuses(description = '', operation: Operation): string {
  const standard = standardCodes(operation).map((code) => byCode.get(code)!);
  const statuses = new Map([...standard, ...(operation.faults ?? [])].map(({ code, status }) => [code, status]));
  const sentences = description.split(/(?<=\.) /).map((sentence) => {
    if (/\bfails? with\b/.test(sentence)) return sentence;
    let last = '';
    return sentence.replaceAll(CODE_WITH_STATUS, (text, written: string | undefined, code: string) => {
      const status = written ?? statuses.get(code);
      if (status === undefined) return text;
      const isSame = last === String(status);
      last = String(status);
      return isSame && !written ? text : `${status} \`${code}\``;
    });
  });
  return sentences.join(' ');
}
