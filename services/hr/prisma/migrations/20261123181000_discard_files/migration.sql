-- Stored objects whose row goes are noted for removal by the foundation's function, which all services share.
CREATE OR REPLACE TRIGGER discard_file AFTER UPDATE OF key OR DELETE ON hrm_documents
  FOR EACH ROW EXECUTE FUNCTION suite_discard_file('key');
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON employee_documents FOR EACH ROW EXECUTE FUNCTION suite_discard_file('key');
CREATE OR REPLACE TRIGGER discard_file AFTER UPDATE OF attachment_key OR DELETE ON leave_applications
  FOR EACH ROW EXECUTE FUNCTION suite_discard_file('attachment_key');
DROP TRIGGER IF EXISTS discard_replaced_file ON hrm_documents;
DROP TRIGGER IF EXISTS discard_leave_attachment ON leave_applications;
DROP FUNCTION IF EXISTS discard_leave_attachment();
DROP FUNCTION IF EXISTS discard_file();
