//! Repository + source files → the commit that last changed each: one walk over the history, no blob read, no git run.
//!
//! The room knows of files and commits, not of pages.
