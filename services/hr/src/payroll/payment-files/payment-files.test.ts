import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { account, openPaymentDay } from '../../../test/payments.ts';

const { serving, finance, acme, clock, hireThree, entriesOf } = await openPaymentDay();
const { ledger } = finance;

describe('a payment file', () => {
  const file = (id: string, body: object = {}) =>
    acme.approver.post(`/api/payroll/payment-file/${id}`, {
      bank_account_id: acme.bank_account_id,
      format: 'pain.001.001.09',
      ...body,
    });
  const contentOf = async (path: string) => Buffer.from((await acme.approver.get(path)).content).toString();

  test('contains all transfers in the characters that banks accept', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const created = (await file(id)).body.data;
    expect(created).toMatchObject({ message_id: 'PAY-2026-00001-1', execution_date: '2026-06-30', payslip_count: 3 });
    const content = await contentOf(created.file);
    for (const part of [
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">',
      '<MsgId>PAY-2026-00001-1</MsgId>',
      '<NbOfTxs>3</NbOfTxs>',
      '<CtrlSum>6000.00</CtrlSum>',
      '<Cd>SEPA</Cd>',
      '<Dt>2026-06-30</Dt>',
      '<IBAN>DE89370400440532013000</IBAN>',
      '<EndToEndId>PSL-2026-000001</EndToEndId>',
      '<InstdAmt Ccy="EUR">3000.00</InstdAmt>',
      '<Nm>Juergen Mueller</Nm>',
      '<Nm>Lukasz Giec</Nm>',
      '<Ustrd>Salary 2026-06 PSL-2026-000001</Ustrd>',
    ])
      expect(content).toContain(part);
    const order = [...content.matchAll(/<([A-Za-z]+)/g)].map(([, name]) => name);
    const info = order.slice(order.indexOf('PmtInf'), order.indexOf('CdtTrfTxInf')).join(' ');
    expect(info).toBe(
      'PmtInf PmtInfId PmtMtd BtchBookg NbOfTxs CtrlSum PmtTpInf SvcLvl Cd CtgyPurp Cd ReqdExctnDt Dt Dbtr Nm DbtrAcct Id IBAN DbtrAgt FinInstnId BICFI ChrgBr',
    );
    expect(order.slice(order.indexOf('CdtTrfTxInf')).slice(0, 18).join(' ')).toBe(
      'CdtTrfTxInf PmtId EndToEndId Amt InstdAmt CdtrAgt FinInstnId BICFI Cdtr Nm CdtrAcct Id IBAN Purp Cd RmtInf Ustrd CdtTrfTxInf',
    );
    clock.goTo('2026-06-30T13:00:00Z');
    expect((await file(id)).body.data).toEqual(created);
    const [entry] = await entriesOf(id);
    await acme.approver.post(`/api/payslip/withhold/${entry!['id']!}`, { reason: 'Asked for it' });
    expect((await file(id)).body.data).toMatchObject({ message_id: 'PAY-2026-00001-2', payslip_count: 2 });
  });

  test('escapes names that look like formulas in a CSV file', async () => {
    await acme.hire({ salary: { basis: 'monthly', amount: '1.00' }, bank: { ...account, holder: '=1+1' } });
    const { id } = await acme.approved();
    const content = await contentOf((await file(id, { format: 'csv' })).body.data.file);
    expect(content.split('\r\n')[1]).toContain("'=1+1");
  });

  test('is not written if an employee has no bank account', async () => {
    const nobody = await acme.hire({ salary: { basis: 'monthly', amount: '1.00' } });
    const { id } = await acme.approved();
    expect(await file(id)).toMatchObject({
      status: 409,
      body: { code: 'bank_missing', details: { employee_ids: [nobody] } },
    });
    await acme.owner.post(`/api/employee/update/${nobody}`, { bank: account });
    const { body } = await file(id);
    expect(body.data).toMatchObject({ message_id: 'PAY-2026-00001-1', payslip_count: 1 });
    expect(await contentOf(body.data.file)).toContain(`<IBAN>${account.account_number}</IBAN>`);
  });

  test('rejects invalid requests with the field or code', async () => {
    await hireThree();
    const { id } = await acme.approved();
    expect((await file(id, { execution_date: '2026-06-29' })).body.errors).toHaveProperty('execution_date');
    expect((await file(id, { execution_date: '2026-07-31' })).body.errors).toHaveProperty('execution_date');
    const cash = ledger.source({ account_number: '' });
    expect((await file(id, { bank_account_id: cash })).body.errors).toHaveProperty('bank_account_id');
    const blind = acme.member({ can: ['payroll.view', 'payroll.pay'] });
    const body = { bank_account_id: acme.bank_account_id, format: 'csv' };
    expect((await blind.post(`/api/payroll/payment-file/${id}`, body)).status).toBe(403);
    const created = (await file(id)).body.data;
    expect((await blind.get(created.file)).status).toBe(403);
    const unknown = randomUUID();
    expect((await blind.post(`/api/payroll/payment-file/${unknown}`, body)).status).toBe(403);
    expect((await blind.get(`/api/payroll/payment-files/${unknown}`)).status).toBe(403);
    expect((await file(unknown)).status).toBe(404);
    const allowedActions = async (by: typeof blind) => (await by.get(`/api/payrolls/${id}`)).body.data.allowed_actions;
    expect([await allowedActions(blind), await allowedActions(acme.approver)]).toEqual([
      ['pay'],
      ['make_payment_file', 'pay', 'reverse'],
    ]);
  });

  test('logs access to the bank accounts that it contains', async () => {
    const [ada] = await hireThree();
    const { id } = await acme.approved();
    await contentOf((await file(id)).body.data.file);
    const traces = await serving.sql`
      SELECT fields FROM sensitive_accesses WHERE employee_id = ${ada} AND by = ${acme.approver.caller.user_id} AND 'bank' = ANY(fields)`;
    expect(traces).toHaveLength(2);
  });
});
