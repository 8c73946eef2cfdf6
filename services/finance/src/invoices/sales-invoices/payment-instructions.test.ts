import { describe, expect, test } from '@jest/globals';
import { transferCode } from './payment-instructions.ts';

const account = { bank_name: 'Example Bank', account_number: 'DE89 3704 0044 0532 0130 00', holder: null, bic: null };
const payable = { number: 'INV-2026-00001', currency: 'EUR', due: '184.76', payee: 'Müller & Söhne' };

describe('the QR code of a transfer', () => {
  test('has the lines of EPC069-12', () => {
    expect(transferCode({ ...account, bic: 'COBADEFFXXX' }, payable)).toBe(
      'BCD\n002\n1\nSCT\nCOBADEFFXXX\nMüller & Söhne\nDE89370400440532013000\nEUR184.76\n\n\nINV-2026-00001',
    );
  });

  test('shortens the payee, and removes line breaks from it', () => {
    const lines = transferCode({ ...account, holder: `Müller\r\nSCT ${'ü'.repeat(90)}` }, payable)?.split('\n') ?? [];
    expect(lines[5]).toBe(`Müller SCT ${'ü'.repeat(59)}`);
    expect(lines).toHaveLength(11);
  });

  test.each([
    ['another currency', account, { ...payable, currency: 'USD' }],
    ['another account number', { ...account, account_number: '12345678' }, payable],
    ['an IBAN with wrong digits', { ...account, account_number: 'DE89370400440532013001' }, payable],
    ['more than 999,999,999.99 euro', account, { ...payable, due: '1000000000.00' }],
  ])('is omitted for %s', (_, of, what) => {
    expect(transferCode(of, what)).toBeNull();
  });
});
