//! Properties of whole documents.

mod message_properties;
mod no_url;
