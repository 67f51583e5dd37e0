// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

/// A coin (ERC-20) with decimals. Anyone may give any wallet any balance.
contract Coins {
    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply = 10 ** 30;
    address public owner = msg.sender;
    mapping(address => uint256) public balanceOf;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function give(address to, uint256 amount) external {
        balanceOf[to] = amount;
    }

    function transferOwnership(address to) external {
        owner = to;
    }

    /// A contract may change what it says at any time.
    function setDecimals(uint8 to) external {
        decimals = to;
    }
}

/// Writes its names as 32 bytes, as some of the first coins do.
contract OldCoin {
    bytes32 public name = "Old coin";
    bytes32 public symbol = "OLD";
    uint256 public decimals = 2;
    uint256 public totalSupply = 1000;

    function balanceOf(address) external pure returns (uint256) {
        return 0;
    }
}

/// Passes as a coin when it is read, and then does what its mode says.
contract HostileCoin {
    uint256 public mode;
    uint256 public decimals = 18;
    uint256 public totalSupply = 1;

    function setMode(uint256 to) external {
        mode = to;
    }

    function name() external pure returns (string memory) {
        return string(new bytes(100000));
    }

    function symbol() external pure returns (string memory) {
        return unicode"US\u202eDC";
    }

    function balanceOf(address) external view returns (uint256) {
        if (mode == 1) revert("rate limited, try again later");
        if (mode == 2) while (true) {}
        if (mode == 3)
            assembly {
                return(0, 100000000)
            }
        return mode == 4 ? type(uint256).max : 0;
    }
}

/// The part of Multicall3 that the service calls.
contract Multicall3 {
    struct Call3 {
        address target;
        bool allowFailure;
        bytes callData;
    }

    struct Result {
        bool success;
        bytes returnData;
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++)
            (results[i].success, results[i].returnData) = calls[i].target.call(calls[i].callData);
    }
}
