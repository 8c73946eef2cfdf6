/** Parts that all PDFs of finance share. */
import { sql } from '@suite/chassis/database';
import { fault, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type DocumentLineAmounts, printedAmounts as printed } from '@suite/document-lines';
import type { PdfDocument, PdfLine, PdfRecipient } from '@suite/pdf';
import type { z } from 'zod';
import type { LineTax } from './document.schema.ts';
import { type Db, type Rpc, tableNamed } from '../../operations.ts';

/** Record and context for printing a PDF. */
export interface DocumentPdfInput<Shown> {
  record: Shown;
  caller: Caller;
  read: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  rpc: Rpc;
}

type DocumentRecipient = PdfRecipient & { code: string };

/**
 * Returns the customer as the addressee of a PDF, and the sender. Platform is queried last, when no other data can be
 * missing.
 */
export async function fetchPdfParties(
  { read, rpc }: Pick<DocumentPdfInput<unknown>, 'read' | 'rpc'>,
  customer_id: string,
): Promise<{ to: DocumentRecipient; from: PdfDocument['from'] }> {
  const [to] = await read((db) =>
    db.rows<DocumentRecipient>(sql`
      SELECT code, name, company, billing_address AS address, tax_number, country, language FROM customers WHERE id = ${customer_id}::uuid`),
  );
  if (!to) throw NotFound();
  return { to, from: await rpc.platform.getLetterhead({}) };
}

const DocumentChanged = fault(503, 'document_changed', 'This document has just changed. Try again.');

/** Line as shown and printed in a document. */
type DocumentPdfLine = Omit<PdfLine, 'amount'> &
  Pick<DocumentLineAmounts, 'net' | 'tax' | 'total'> & { id: string; taxes: readonly z.output<typeof LineTax>[] };
type StoredLineAmounts = { id: string } & Pick<DocumentLineAmounts, 'gross' | 'discount' | 'header_discount'>;

/**
 * Returns lines and totals of a document in reading order, from the stored amounts.
 * @throws DocumentChanged if another transaction has just replaced the lines of a draft
 */
export async function pdfAmounts(
  { read }: Pick<DocumentPdfInput<unknown>, 'read'>,
  {
    table,
    lines,
    currency,
  }: { table: 'invoice_lines' | 'return_lines'; lines: readonly DocumentPdfLine[]; currency: string },
): Promise<Pick<PdfDocument, 'lines' | 'sums'>> {
  const ids = lines.map(({ id }) => id);
  const stored = await read((db) =>
    db.rows<StoredLineAmounts>(sql`
      SELECT id, gross, line_discount AS discount, header_discount FROM ${tableNamed(table)} WHERE id = ANY(${ids}::uuid[])`),
  );
  const byId = new Map(stored.map((line) => [line.id, line]));
  const figures = lines.map((line) => {
    const found = byId.get(line.id);
    if (!found) throw DocumentChanged();
    const { gross, discount, header_discount } = found;
    return { ...line, gross, discount, header_discount };
  });
  return printed(lines, figures, currency);
}
