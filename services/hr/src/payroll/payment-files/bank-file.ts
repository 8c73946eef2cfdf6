/** Payment files for banks, in ISO 20022 and spreadsheet formats. Amounts are not calculated here. */
import { stringify } from 'csv-stringify/sync';
import { create } from 'xmlbuilder2';
import type { XMLBuilder } from 'xmlbuilder2/lib/interfaces.js';
import { ibanOf, type PaymentOrder, type SalaryTransfer } from './payment-order.ts';
import { sepaText } from './sepa-text.ts';

const NAME_MAX = 70;
const REMITTANCE_MAX = 140;
const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

const remittanceOf = ({ period }: PaymentOrder, { number }: SalaryTransfer): string =>
  sepaText(`Salary ${period} ${number}`, REMITTANCE_MAX);

function addAccount(parent: XMLBuilder, name: string, account: string): void {
  const id = parent.ele(name).ele('Id');
  const iban = ibanOf(account);
  if (iban) id.ele('IBAN').txt(iban);
  else id.ele('Othr').ele('Id').txt(account.replaceAll(/\s/g, '').slice(0, 34));
}

function addTransfer(parent: XMLBuilder, order: PaymentOrder, transfer: SalaryTransfer): void {
  const info = parent.ele('CdtTrfTxInf');
  info.ele('PmtId').ele('EndToEndId').txt(transfer.number);
  info.ele('Amt').ele('InstdAmt', { Ccy: order.currency }).txt(transfer.amount);
  if (transfer.bic) info.ele('CdtrAgt').ele('FinInstnId').ele('BICFI').txt(transfer.bic);
  info.ele('Cdtr').ele('Nm').txt(sepaText(transfer.name, NAME_MAX));
  addAccount(info, 'CdtrAcct', transfer.account);
  info.ele('Purp').ele('Cd').txt('SALA');
  info.ele('RmtInf').ele('Ustrd').txt(remittanceOf(order, transfer));
}

/** Checks if all transfers are in euro between accounts with an IBAN. SEPA rules then apply. */
const isSepa = ({ currency, debtor, transfers }: PaymentOrder): boolean =>
  currency === 'EUR' && [debtor, ...transfers].every(({ account }) => ibanOf(account) !== null);

/** Returns a payment order as pain.001.001.09. */
export function painOf(order: PaymentOrder): string {
  const { message_id, created_at, execution_date, initiator, total, debtor, transfers } = order;
  const document = create({ version: '1.0', encoding: 'UTF-8' }).ele(NAMESPACE, 'Document');
  const root = document.ele('CstmrCdtTrfInitn');
  const count = String(transfers.length);
  const header = root.ele('GrpHdr');
  header.ele('MsgId').txt(message_id);
  header.ele('CreDtTm').txt(created_at);
  header.ele('NbOfTxs').txt(count);
  header.ele('CtrlSum').txt(total);
  header.ele('InitgPty').ele('Nm').txt(sepaText(initiator, NAME_MAX));
  const info = root.ele('PmtInf');
  info.ele('PmtInfId').txt(message_id);
  info.ele('PmtMtd').txt('TRF');
  info.ele('BtchBookg').txt('true');
  info.ele('NbOfTxs').txt(count);
  info.ele('CtrlSum').txt(total);
  const type = info.ele('PmtTpInf');
  if (isSepa(order)) type.ele('SvcLvl').ele('Cd').txt('SEPA');
  type.ele('CtgyPurp').ele('Cd').txt('SALA');
  info.ele('ReqdExctnDt').ele('Dt').txt(execution_date);
  info.ele('Dbtr').ele('Nm').txt(sepaText(debtor.name, NAME_MAX));
  addAccount(info, 'DbtrAcct', debtor.account);
  const agent = info.ele('DbtrAgt').ele('FinInstnId');
  if (debtor.bic) agent.ele('BICFI').txt(debtor.bic);
  else agent.ele('Othr').ele('Id').txt('NOTPROVIDED');
  info.ele('ChrgBr').txt('SLEV');
  for (const transfer of transfers) addTransfer(info, order, transfer);
  return document.end({ prettyPrint: true });
}

/** Returns a payment order as CSV for spreadsheets. No text is read as a formula. */
export const csvOf = (order: PaymentOrder): string =>
  stringify(
    order.transfers.map((transfer) => ({
      payslip: transfer.number,
      employee: transfer.code,
      name: transfer.name,
      account: ibanOf(transfer.account) ?? transfer.account,
      bic: transfer.bic ?? '',
      amount: transfer.amount,
      currency: order.currency,
      execution_date: order.execution_date,
      remittance: remittanceOf(order, transfer),
    })),
    { header: true, escape_formulas: true, record_delimiter: '\r\n' },
  );
