-- Stored objects whose row goes are noted for removal by the foundation's function, which all services share.
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION suite_discard_file('key');
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON note_files FOR EACH ROW EXECUTE FUNCTION suite_discard_file('key');
DROP FUNCTION IF EXISTS discard_file();
