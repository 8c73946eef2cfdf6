-- The statements of package users say it themselves now.
DROP TRIGGER IF EXISTS users_changed ON users;
DROP FUNCTION IF EXISTS users_changed();
