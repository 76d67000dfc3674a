//! The gateway of litellm-rs, as its own program starts it: a library here, so that a lock file of
//! ours names all that it is built of.

use std::process::ExitCode;

use litellm_rs::server::builder::run_server_with_config_overrides;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, config, port] = arguments.as_slice() else {
        eprintln!("usage: litellm-rs-gateway CONFIG PORT");
        return ExitCode::FAILURE;
    };
    match run_server_with_config_overrides(config, None, port.parse().ok()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
